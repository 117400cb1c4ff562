# SPDX-License-Identifier: BSD-3-Clause
"""Entries, results and their runner, shared by bench/ and validation/."""
