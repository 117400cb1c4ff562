# SPDX-License-Identifier: BSD-3-Clause
"""What an application could gain: its trace on other networks, and how much its calls leave to overlap."""
