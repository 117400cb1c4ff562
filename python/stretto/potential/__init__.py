# SPDX-License-Identifier: BSD-3-Clause
"""The potential gain of an application: its trace on other networks, and its unused overlap."""
