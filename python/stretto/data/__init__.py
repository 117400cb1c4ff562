# SPDX-License-Identifier: BSD-3-Clause
"""Reads files as typed data and writes them (docs/formats.md). Computes no statistics and prints nothing."""
