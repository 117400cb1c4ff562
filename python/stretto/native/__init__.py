# SPDX-License-Identifier: BSD-3-Clause
"""The native programs: where they are, and the one that evaluates the network model."""
