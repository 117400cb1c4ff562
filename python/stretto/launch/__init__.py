# SPDX-License-Identifier: BSD-3-Clause
"""Runs a native program on a substrate to its end, and leaves nothing behind."""
