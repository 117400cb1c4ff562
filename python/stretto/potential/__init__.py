# SPDX-License-Identifier: BSD-3-Clause
"""What an application could gain: its trace on networks that nobody has, and where its calls leave room."""
