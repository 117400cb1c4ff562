# SPDX-License-Identifier: BSD-3-Clause
"""The papers' claims are evidence about the product: `.ci/run` tests them, and `make test` does not."""

from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.hookimpl(tryfirst=True)  # before marks select
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this directory as `slow`."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.slow)
