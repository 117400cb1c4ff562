# SPDX-License-Identifier: BSD-3-Clause
"""Models against reality, and the papers' figures: `python -m validation.run --list`."""
