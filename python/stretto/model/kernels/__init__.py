# SPDX-License-Identifier: BSD-3-Clause
"""The kernels of `stretto run`: what each variant takes on a profile's machine."""
