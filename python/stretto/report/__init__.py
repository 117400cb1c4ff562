# SPDX-License-Identifier: BSD-3-Clause
"""Figures to text and to HTML: pure functions. Computes no statistics and reads no files."""
