# SPDX-License-Identifier: BSD-3-Clause
"""stretto: how much of the communication can run under the computation here, and what would that gain?"""
