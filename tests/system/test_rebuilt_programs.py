# SPDX-License-Identifier: BSD-3-Clause
"""A program that was built again since it was recorded gets no wrong functions and lines."""

import os
import subprocess
from pathlib import Path

import pytest
from traced_runs import COMPILERS, LAUNCHERS, stretto

from stretto.binaries.build_ids import build_id_of
from stretto.data.trace_directory import open_trace
from stretto.potential.messages import program_of

pytestmark = pytest.mark.slow

SOURCE = """#include <mpi.h>
{lines}static void {name}(int rank) {{
  int value = rank;
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}}
int main(int argc, char** argv) {{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {name}(rank);
  MPI_Finalize();
  return 0;
}}
"""


def build(directory: Path, name: str, lines: str = "", *flags: str) -> Path:
    """The program `app`, whose calls are in the function `name`."""
    (directory / "app.c").write_text(SOURCE.format(name=name, lines=lines))
    command = [str(COMPILERS["mpich"]), "-g", "-O1", "-fno-inline", *flags, "app.c", "-o", "app"]
    subprocess.run(command, cwd=directory, check=True, capture_output=True)
    return directory / "app"


def recorded(app: Path) -> Path:
    trace = app.parent / "trace"
    done = stretto("mpich", "trace", "-o", str(trace), "--", str(LAUNCHERS["mpich"]), "-n", "2", str(app))
    assert done.returncode == 0, done.stderr
    return trace


def shown(trace: Path) -> tuple[str, str]:
    """What `potential` shows, and its warnings."""
    done = stretto("mpich", "potential", str(trace))
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_the_trace_has_the_build_id_of_each_module(tmp_path: Path) -> None:
    app = build(tmp_path, "exchange", "", "-Wl,--build-id=sha1")
    modules = program_of(open_trace(recorded(app))).modules
    assert modules[str(app)] == {build_id_of(str(app))}
    assert all(found == {build_id_of(path)} for path, found in modules.items() if found)
    notes = subprocess.run(["readelf", "-n", app], capture_output=True, text=True, check=True).stdout
    assert f"Build ID: {build_id_of(str(app))}" in notes


def test_after_a_rebuild_no_lines_are_given(tmp_path: Path) -> None:
    app = build(tmp_path, "exchange", "", "-Wl,--build-id")
    trace = recorded(app)
    text, warnings = shown(trace)
    assert "exchange app.c:" in text and "built again" not in warnings
    build(tmp_path, "elsewhere", "\n" * 7 + "int unused(int i) { return i * i + 7; }\n", "-Wl,--build-id")
    text, warnings = shown(trace)
    assert "app.c" not in text and "elsewhere" not in text and "app+0x" in text
    assert [line for line in warnings.splitlines() if "built again" in line] == [
        f"stretto: warning: {app}: built again since it was recorded; its functions and lines are not given, "
        "record it again"
    ]
    page = tmp_path / "page.html"
    done = stretto("mpich", "report", str(trace), "-o", str(page))
    assert done.returncode == 0 and "built again since it was recorded" in page.read_text()
    assert "elsewhere" not in page.read_text()


@pytest.mark.parametrize("touched", [False, True])
def test_without_a_build_id_a_newer_file_is_named(touched: bool, tmp_path: Path) -> None:
    app = build(tmp_path, "exchange", "", "-Wl,--build-id=none")
    assert build_id_of(str(app)) == ""
    trace = recorded(app)
    if touched:
        later = app.stat().st_mtime + 3600
        os.utime(app, (later, later))
    text, warnings = shown(trace)
    assert "exchange app.c:" in text
    assert (f"{app}: newer than the trace, and without a build id" in warnings) == touched
