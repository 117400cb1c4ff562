# SPDX-License-Identifier: BSD-3-Clause
"""Which tests belong to which part of a run; tests that are left out are counted as skipped."""

from __future__ import annotations

import pytest

LEFT_OUT = pytest.mark.skip(reason="TAKES MINUTES: not tested; make test ARGS='-m long' runs it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks what runs under an Open MPI as `every_mpi`; skips what is `long` unless the marks given name it."""
    for item in items:
        if "openmpi" in item.name.partition("[")[2]:
            item.add_marker(pytest.mark.every_mpi)
    if "long" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(LEFT_OUT)
