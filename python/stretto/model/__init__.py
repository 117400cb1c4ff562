# SPDX-License-Identifier: BSD-3-Clause
"""Derives figures from samples: statistics, LogGP, overlap, the profile, and verdicts between two runs."""
