# SPDX-License-Identifier: BSD-3-Clause
"""Settings of all unit tests: hypothesis has no deadline, because the machine may be busy."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
