# SPDX-License-Identifier: BSD-3-Clause
"""The launch room: runs a native program on a substrate to its end, and leaves nothing behind."""
