# SPDX-License-Identifier: BSD-3-Clause
"""Which stretto this is."""

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """The version of the installed package; `unknown` when run from sources that nothing installed."""
    try:
        return version("stretto")
    except PackageNotFoundError:
        return "unknown"
