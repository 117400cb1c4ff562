# SPDX-License-Identifier: BSD-3-Clause
"""What a program's files say of it: build ids, names of functions and variables, lines, and loops."""
