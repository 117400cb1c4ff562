# SPDX-License-Identifier: BSD-3-Clause
"""Runtime functions of collective operations (Kühnemann, Rauber, Rünger): fit, composition, choice."""
