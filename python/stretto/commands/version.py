# SPDX-License-Identifier: BSD-3-Clause
"""The version of stretto."""

from importlib.metadata import PackageNotFoundError, version


def installed_version() -> str:
    """The version of the installed package; `unknown` for sources that are not installed."""
    try:
        return version("stretto")
    except PackageNotFoundError:
        return "unknown"
