# SPDX-License-Identifier: BSD-3-Clause
"""The papers' figures: what each claims, and how it is computed here. One or two modules a paper."""
