# SPDX-License-Identifier: BSD-3-Clause
"""Patches of a program's source that let a message travel under work, and their proof."""
