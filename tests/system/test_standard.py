# SPDX-License-Identifier: BSD-3-Clause
"""The MPI standard's edge cases: programs see the same under each preloaded library as without it."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from calls import every_call
from memory_runs import needs_runtime
from traced_runs import parameters

from tests.standard.fortran_program import FORMS, fortran_cases
from tests.standard.program import NO_CASES, all_cases, cases_for
from tests.standard.run import built, failure_lines, with_fortran
from tests.standard.suite import FAILURES, LIBRARIES, WATCHED, Difference, Suite, read_failures

PARTS = 2
BUILT = built()
pytestmark = pytest.mark.skipif(
    not BUILT,
    reason="NO PRELOADED LIBRARY IS BUILT: the standard's cases are not run; scripts/native mpich tests builds them",
)


def test_every_call_of_the_recorders_list_has_cases_or_a_reason() -> None:
    names = {
        name for case in cases_for({call.name for call in every_call()} | _others()) for name in case.calls
    }
    without = {call.name for call in every_call()} - names - NO_CASES.keys()
    assert not without, (
        "calls of calls.txt without a case in tests/standard, and without a reason in NO_CASES"
    )
    assert not {name for name in NO_CASES if name in names and name != "Session_finalize"}, (
        "a reason too many"
    )


def _others() -> set[str]:
    """The functions that cases call besides those of calls.txt."""
    return {name for case in all_cases() for name in case.calls}


def test_every_known_failure_is_a_case() -> None:
    here = {call.name for call in every_call()} | _others()
    names = {False: {case.name for case in cases_for(here)}, True: {case.name for case in fortran_cases()}}
    assert not {(mpi, name) for mpi, name, _ in read_failures() if name not in names[", " in mpi]}


def test_known_failures_are_read_as_they_are_written() -> None:
    text = FAILURES.read_text(encoding="utf-8").splitlines()
    assert [line for line in text if not line.startswith("#")] == failure_lines(read_failures())


@pytest.fixture(scope="module", params=parameters(BUILT))
def suite(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return Suite(request.param, tmp_path_factory.mktemp("standard"))


def _assert_the_same(suite: Suite, numbers: list[int], libraries: Sequence[str] = LIBRARIES) -> None:
    plain = suite.plain(numbers)
    assert plain.values
    found = [one for name in libraries for one in suite.differing(name, plain)]
    assert not found, "\n".join(_text(suite, one) for one in found)


def _text(suite: Suite, one: Difference) -> str:
    case = "the whole run" if one.case is None else suite.program.cases[one.case].name
    return f"{one.library}: {case}: {one.what}"


def _some_of_each_call(suite: Suite, step: int = 5) -> list[int]:
    """Every `step`-th case, from another one on for each call, so that each kind of case meets some call."""
    chosen = []
    seen: dict[str, int] = {}
    for number, case in enumerate(suite.program.cases):
        call = case.name.partition(":")[0]
        turn = seen.setdefault(call, len(seen))
        seen[call] += 1
        if turn % step == 0:
            chosen.append(number)
    return chosen


@pytest.mark.slow
@pytest.mark.matrix_but("mpich")  # the next test has all of them
def test_some_cases_of_each_call_are_the_same(suite: Suite) -> None:
    _assert_the_same(suite, _some_of_each_call(suite))


@pytest.mark.slow
@pytest.mark.matrix_but("openmpi")
@pytest.mark.parametrize("first", range(PARTS))
def test_all_cases_are_the_same(suite: Suite, first: int) -> None:
    """In parts, which run at the same time."""
    _assert_the_same(suite, list(range(first, len(suite.program.cases), PARTS)))


@needs_runtime
@pytest.mark.slow
@pytest.mark.matrix_but("openmpi")
def test_a_few_cases_are_the_same_where_memory_is_watched(suite: Suite) -> None:
    """With `--memory page` also all with what MPI does not read, and with `byte` from stretto's compilers."""
    ignored = re.compile("NOWHERE|MPI_IN_PLACE|MPI_DATATYPE_NULL")
    unread = {number for number, case in enumerate(suite.program.cases) if ignored.search(case.code)}
    page, byte = WATCHED
    some = _some_of_each_call(suite, 20)
    _assert_the_same(suite, sorted(unread.union(some)), [page])
    _assert_the_same(suite, some, [byte])


HAVE_FORTRAN = with_fortran()
needs_fortran = pytest.mark.skipif(
    not HAVE_FORTRAN,
    reason="NO MPI WITH FORTRAN: its cases are not run; apt-get install libopenmpi-dev, scripts/native openmpi4 tests",
)


def _fortran_suite(form: str, directory: Path) -> Suite:
    return Suite(HAVE_FORTRAN[0], directory, fortran=form)


@needs_fortran
@pytest.mark.every_mpi
@pytest.mark.slow
def test_some_cases_of_fortran_2008_are_the_same(tmp_path: Path) -> None:
    """Where `.ci/run` finds an MPI with Fortran; it builds none."""
    suite = _fortran_suite("mpi_f08", tmp_path)
    _assert_the_same(suite, _some_of_each_call(suite))


@needs_fortran
@pytest.mark.every_mpi
@pytest.mark.matrix
@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_all_cases_of_fortran_are_the_same(form: str, tmp_path: Path) -> None:
    suite = _fortran_suite(form, tmp_path)
    _assert_the_same(suite, list(range(len(suite.program.cases))))


@needs_fortran
@needs_runtime
@pytest.mark.every_mpi
@pytest.mark.matrix
@pytest.mark.slow
def test_a_few_cases_of_fortran_are_the_same_where_memory_is_watched(tmp_path: Path) -> None:
    suite = _fortran_suite("mpi_f08", tmp_path)
    _assert_the_same(suite, _some_of_each_call(suite, 20), WATCHED)
