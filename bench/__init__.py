# SPDX-License-Identifier: BSD-3-Clause
"""Compares stretto with its peers: `python -m bench.run --list`."""
