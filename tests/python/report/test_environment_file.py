# SPDX-License-Identifier: BSD-3-Clause
"""The environment file of `stretto tune`, as a shell reads it, and the lines that use it."""

import subprocess
from pathlib import Path

import pytest

from stretto.data.shell import command_line
from stretto.model.paired_runs import PairedRuns
from stretto.model.race import Race
from stretto.report.views.tune import TuneResult, environment_file, tune_view

PROGRAMS = [
    ("./app",),
    ("bash", "-c", "true\ntouch made"),
    ("./app", "$(touch made)", "`touch made`", "\rtouch made", "na\u00efve"),
]


def result(program: tuple[str, ...], file: str, value: str = "64K") -> TuneResult:
    line = command_line(program)
    return TuneResult(
        subject=line,
        chosen="eager 64K",
        variables={"FOUND": value},
        libraries=(),
        tested="eager 64K",
        runs=PairedRuns((2.0, 2.01, 2.02) * 4, (1.0, 1.01, 1.02) * 4),
        planned=12,
        deciding_budget_s=None,
        race=Race.of(["eager 64K"]),
        skipped=(),
        file=file,
        line=line,
        machine="mpich 5.0.2, --on local",
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("value", ["64K", "a b", "$(touch made)", "it's"])
def test_the_file_sets_its_variables_and_does_nothing_else(
    program: tuple[str, ...], value: str, tmp_path: Path
) -> None:
    text = environment_file(result(program, "x.env", value), "2026-11-27")
    assert all(line.startswith(("# ", "export ")) for line in text.splitlines())
    (tmp_path / "x.env").write_text(text)
    script = '. ./x.env && printf %s "$FOUND"'
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout == value
    assert [file.name for file in tmp_path.iterdir()] == ["x.env"]


@pytest.mark.parametrize(
    ("file", "line"), [("/tmp/x.env", "  . /tmp/x.env"), ("x.env", "  . ./x.env"), ("a b", "  . './a b'")]
)
def test_the_line_that_reads_the_file_can_be_typed(file: str, line: str) -> None:
    assert line in list(tune_view(result(("./app",), file)))
