# SPDX-License-Identifier: BSD-3-Clause
"""Shared by bench/, validation/ and tests/fuzz/: entries, results, and the runner that shows them."""
