# SPDX-License-Identifier: BSD-3-Clause
"""Programs whose gain is measured: they know nothing of stretto."""
