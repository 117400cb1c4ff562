# SPDX-License-Identifier: BSD-3-Clause
"""Selects the tests of each part of a run, and chooses the examples of Hypothesis.

The profile `fixed` takes the same examples in every run. The profile `search` takes random ones, and
remembers those that failed in .hypothesis (`make search`).
"""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

# A shell starts jobs in the background with Ctrl-C ignored, and so would be what tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

LEFT_OUT = pytest.mark.skip(reason="TAKES MINUTES: not tested; make test-all runs it")

# Neither a deadline nor a limit of the time that examples take: the machine may be busy.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", PATIENT, derandomize=True, database=None)
settings.register_profile("search", PATIENT, derandomize=False, print_blob=True)
settings.load_profile("fixed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skips `long` tests unless the given marks name them.

    Raises:
        pytest.UsageError: A test's parameter `preset` names an MPI that is built later, without the mark
            `every_mpi`.
    """
    for item in items:
        if _is_of_another_mpi(item) and item.get_closest_marker("every_mpi") is None:
            raise pytest.UsageError(f"{item.nodeid}: lacks `every_mpi`; see traced_runs.parameters")
    if "long" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(LEFT_OUT)


def _is_of_another_mpi(item: pytest.Item) -> bool:
    """Whether the test runs with the build of an MPI other than the embedded one."""
    call = getattr(item, "callspec", None)
    return call is not None and str(call.params.get("preset", "")).startswith("openmpi")
