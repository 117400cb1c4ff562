# SPDX-License-Identifier: BSD-3-Clause
"""The native programs: finds them, runs them, and ends them with this process."""
