# SPDX-License-Identifier: BSD-3-Clause
"""stretto.rma keeps its promises to programs that nobody would plan."""

import ast

import pytest
from test_python_interface import BUILT, ROOT, run
from traced_runs import parameters

PROGRAM = ROOT / "tests" / "system" / "programs" / "rma_hostile.py"
HELPERS = ("runtime", "refused")
CASES = [
    one.name
    for one in ast.parse(PROGRAM.read_text(encoding="utf-8")).body
    if isinstance(one, ast.FunctionDef) and one.name not in HELPERS
]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not BUILT, reason="LIBRARIES NOT BUILT: not tested; scripts/native mpich tests builds them"
    ),
]
more = pytest.mark.matrix


@pytest.mark.matrix_but("openmpi", case=["arrays_of_any_strides", "forked", "ended_threads"])
@pytest.mark.parametrize(
    ("ranks", "path"),
    [
        (3, "message"),
        *(
            pytest.param(ranks, path, marks=more)
            for ranks, path in ((1, ""), (2, ""), (2, "rma"), (4, "message"))
        ),
    ],
)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("preset", parameters(BUILT))
def test_every_promise_holds(preset: str, case: str, ranks: int, path: str) -> None:
    done = run(preset, ranks, PROGRAM, case, *([path] if path else []))
    assert done.stdout.count("holds") == ranks, done.stdout + done.stderr
    # What is pending at its end is part of the case: the process ends without MPI_Finalize.
    assert done.returncode == 0 or case == "dropped_in_cycles", done.stderr
