# SPDX-License-Identifier: BSD-3-Clause
"""What all unit tests share: hypothesis has no time limit, for a busy machine is no defect."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
