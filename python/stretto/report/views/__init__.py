# SPDX-License-Identifier: BSD-3-Clause
"""The output of each command: functions from data to lines and tables, and to JSON members."""
