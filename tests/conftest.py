# SPDX-License-Identifier: BSD-3-Clause
"""Selects the tests of each part of a run; others count as skipped."""

from __future__ import annotations

import pytest

LEFT_OUT = pytest.mark.skip(reason="TAKES MINUTES: not tested; make test ARGS='-m long' runs it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks tests under an Open MPI as `every_mpi`; skips `long` tests unless the given marks name them."""
    for item in items:
        if "openmpi" in item.name.partition("[")[2]:
            item.add_marker(pytest.mark.every_mpi)
    if "long" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(LEFT_OUT)
