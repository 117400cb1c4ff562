# SPDX-License-Identifier: BSD-3-Clause
"""What bench/, validation/ and tests/fuzz/ share: entries, results, and the runner that shows them."""
