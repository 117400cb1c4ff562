# SPDX-License-Identifier: BSD-3-Clause
"""What each command shows: functions from data to lines and tables for people, and to JSON members."""
