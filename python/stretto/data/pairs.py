# SPDX-License-Identifier: BSD-3-Clause
"""How many pairs of runs a command makes: fewer give no interval that decides anything."""

FEWEST_PAIRS, MAX_PAIRS = 3, 1000
PAIRS_CORRECTION = f"give {FEWEST_PAIRS} to {MAX_PAIRS}"
