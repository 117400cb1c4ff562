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


@pytest.hookimpl(tryfirst=True)  # before marks select
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skips `long` tests unless the given marks name them; marks the tests that others represent.

    Raises:
        pytest.UsageError: A test's parameter `preset` names an MPI that is built later, without the mark
            `every_mpi`; or see is_represented.
    """
    for item in items:
        if _is_of_another_mpi(item) and item.get_closest_marker("every_mpi") is None:
            raise pytest.UsageError(f"{item.nodeid}: lacks `every_mpi`; see traced_runs.parameters")
        if any(is_represented(mark, item) for mark in item.iter_markers("matrix_but")):
            item.add_marker(pytest.mark.matrix)
    if "long" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(LEFT_OUT)


def parameters_of(item: pytest.Item) -> dict[str, object]:
    """The test's parameters, and those of its fixtures."""
    call = getattr(item, "callspec", None)
    return {} if call is None else dict(call.params)


def is_represented(mark: pytest.Mark, item: pytest.Item) -> bool:
    """Whether `matrix_but(MPI, NAME=[VALUE, ...])` leaves this test to `make test-all`.

    It leaves the tests of that MPI but for those whose parameters all have one of the values; all of them
    where it names no parameter.

    Raises:
        pytest.UsageError: The test lacks a named parameter.
    """
    parameters = parameters_of(item)
    for name in mark.kwargs.keys() - parameters:
        raise pytest.UsageError(f"{item.nodeid}: matrix_but names {name}, which is no parameter")
    mpis = {getattr(value, "family", value) for value in parameters.values() if _names_an_mpi(value)}
    if mark.args[0] not in mpis:
        return False
    return not mark.kwargs or any(parameters[name] not in kept for name, kept in mark.kwargs.items())


def _names_an_mpi(value: object) -> bool:
    return isinstance(value, str) or hasattr(value, "family")


def _is_of_another_mpi(item: pytest.Item) -> bool:
    """Whether the test runs with the build of an MPI other than the embedded one."""
    return str(parameters_of(item).get("preset", "")).startswith("openmpi")
