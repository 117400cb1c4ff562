# SPDX-License-Identifier: BSD-3-Clause
"""Compares models with measurements and papers' figures: `python -m validation.run --list`."""
