# SPDX-License-Identifier: BSD-3-Clause
"""Renders figures as text and HTML with pure functions. Computes no statistics and reads no files."""
