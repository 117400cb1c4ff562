# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of stretto's variables and statistics have a point, whatever the locale that a program sets."""

import shutil
import subprocess
from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import ROOT, compiled, environment, launch, recorder_of, stretto, traced

pytestmark = [pytest.mark.slow, needs_built(recorder_of("mpich").is_file(), "THE RECORDER")]
PRINTED = "1,5\n2,5\n"


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a locale whose numbers have a comma."""
    directory = tmp_path_factory.mktemp("locales")
    if shutil.which("localedef") is None or not Path("/usr/share/i18n/locales/de_DE").is_file():
        pytest.skip("NO SOURCES OF LOCALES: numbers with a comma are not tested; apt-get install locales")
    made = directory / "de_DE.UTF-8"
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", made], check=False, capture_output=True)
    assert (made / "LC_NUMERIC").is_file()
    return {"LOCPATH": str(directory), "LC_ALL": "de_DE.UTF-8"}


def test_the_progress_thread_and_its_statistics(tmp_path: Path, german: dict[str, str]) -> None:
    file = tmp_path / "statistics"
    variables = {"STRETTO_POLL_INTERVAL_S": "0.0005", "STRETTO_STATISTICS": str(file), **german}
    command = launch("mpich", str(compiled("mpich", "localised.c", tmp_path)), ranks=2)
    done = stretto("mpich", "preload", "progress", "--", *command, **variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, PRINTED, "")
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    numbers = [[float(one) for one in line.split()] for line in lines]
    assert [row[0] for row in numbers] == [0, 1]


def test_the_collectives_and_their_statistics(tmp_path: Path, german: dict[str, str]) -> None:
    file = tmp_path / "statistics"
    variables = {"STRETTO_GRIDS": "2x1", "STRETTO_STATISTICS": str(file), **german}
    command = launch("mpich", str(compiled("mpich", "localised.c", tmp_path)), ranks=2)
    done = stretto("mpich", "preload", "collectives", "--", *command, **variables)
    assert (done.returncode, done.stdout) == (0, PRINTED), done.stderr
    (row,) = [line.split() for line in file.read_text().splitlines() if not line.startswith("#")]
    assert float(row[5]) > 0


def test_the_recorder(tmp_path: Path, german: dict[str, str]) -> None:
    program = compiled("mpich", "localised.c", tmp_path)
    share = {"STRETTO_TRACE_SHARE": "0.5", **german}
    done = traced("mpich", tmp_path / "t", program, options=("--memory", "page"), **share)
    assert (done.returncode, done.stdout) == (0, PRINTED), done.stderr
    assert "STRETTO_TRACE_SHARE" not in done.stderr


def test_armci(tmp_path: Path, german: dict[str, str]) -> None:
    libraries = ROOT / "build" / "mpich" / "lib" / "stretto" / "mpich"
    names = [libraries / f"libstretto_{name}.so" for name in ("armci", "rma")]
    options = ["-DWITH_ARMCI", f"-I{ROOT / 'include' / 'armci'}", *names, f"-Wl,-rpath,{libraries}"]
    command = launch("mpich", str(compiled("mpich", "localised.c", tmp_path, *options)), ranks=2)
    variables = environment("mpich", STRETTO_REPORT_AFTER_S="2.5", **german)
    done = completed(command, timeout=60, env=variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, PRINTED, "")
