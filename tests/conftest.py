# SPDX-License-Identifier: BSD-3-Clause
"""Tests that are left out are counted as skipped, with what runs them."""

from __future__ import annotations

import pytest

LEFT_OUT = pytest.mark.skip(reason="TAKES MINUTES: not tested; make test ARGS='-m long' does")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skips what is marked `long`, but where marks that were asked for name it."""
    if "long" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(LEFT_OUT)
