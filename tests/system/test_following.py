# SPDX-License-Identifier: BSD-3-Clause
"""`stretto trace --memory byte` follows received data: the textbook's halo exchange, whose interior is known."""

import json
from pathlib import Path

import pytest
from memory_runs import BIN, needs_runtime, run
from traced_runs import ROOT

CELLS, STEPS = 96, 12
HALO = ROOT / "proxies" / "halo_2d.c"

pytestmark = [
    pytest.mark.slow,
    needs_runtime,
]


@pytest.fixture(scope="module")
def naive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trace of the code that sweeps after its wait."""
    directory = tmp_path_factory.mktemp("halo")
    program = directory / "halo"
    run(BIN / "stretto-cc", "-O2", "-g", HALO, "-o", program)
    command = (BIN / "mpiexec", "-n", "2", program, "--cells", CELLS, "--steps", STEPS)
    run(BIN / "stretto", "trace", "--memory", "byte", "-o", directory / "trace", "--", *command)
    return directory / "trace"


def test_the_interior_of_the_sweep_is_found_by_its_lines(naive: Path) -> None:
    found = json.loads(run(BIN / "stretto", "potential", naive, "--json").stdout)["movable"]
    wait = next(one for one in found if one["call"] == "MPI_Waitall")
    assert wait["where"].startswith("step halo_2d.c:")
    (sweep,) = [one for one in wait["regions"] if one["where"].startswith("sweep ")]
    first, last = sweep["where"].rpartition(":")[2].split("-")
    lines = HALO.read_text().splitlines()
    assert "for (int i = top" in lines[int(first) - 1] and "AT(" in lines[int(last) - 1]
    assert sweep["kind"] == "loop distribution"
    # Every cell takes as long: the share is that of the cells, but for what else runs on the machine.
    share = sweep["independent_s"] / sweep["work_s"]
    assert share == pytest.approx((CELLS - 2) ** 2 / CELLS**2, abs=0.15)
    moved = [one for one in wait["regions"] if one["where"].startswith(("pack", "unpack"))]
    assert all(one["independent_s"] <= 0.2 * one["work_s"] for one in moved)
    shown = run(BIN / "stretto", "potential", naive).stdout
    assert "reads nothing that came" in " ".join(shown.split())


def test_a_cell_with_one_store_that_depends_on_what_came_depends_on_it(tmp_path: Path) -> None:
    """A loop is divided between its iterations: of a boundary cell three stores of four need nothing."""
    program, trace, cells = tmp_path / "several_fields", tmp_path / "trace", 43
    source = ROOT / "tests" / "system" / "programs" / "several_fields.c"
    run(BIN / "stretto-cc", "-O1", "-g", source, "-o", program)
    command = (BIN / "mpiexec", "-n", "2", program, cells, 30)
    run(BIN / "stretto", "trace", "--memory", "byte", "-o", trace, "--", *command)
    found = json.loads(run(BIN / "stretto", "potential", trace, "--json").stdout)["movable"]
    wait = next(one for one in found if one["call"] == "MPI_Waitall")
    (sweep,) = [one for one in wait["regions"] if one["where"].startswith("sweep ")]
    free, dependent = (cells - 2) ** 2 / cells**2, 1 - (cells - 2) ** 2 / cells**2
    share = sweep["independent_s"] / sweep["work_s"]
    assert share == pytest.approx(free, abs=0.03)
    assert share < 1 - dependent / 4 - 0.03, "the share of the stores"


def test_independent_work_comes_before_the_wait(naive: Path) -> None:
    # The messages of a step take longer than its work.
    network = ("--latency", "0s", "--bandwidth", "1MB/s")
    found = json.loads(run(BIN / "stretto", "whatif", naive, *network, "--json").stdout)
    times = {row["level"]: row["time_s"] for row in found["rows"]}
    assert times["independent"] < times["traced"]


@pytest.mark.parametrize("way", ["isend", "sendrecv", "alltoall"])
def test_work_that_overwrites_what_is_sent_is_not_independent(way: str, tmp_path: Path) -> None:
    program, trace = tmp_path / "reused_buffers", tmp_path / "trace"
    source = ROOT / "tests" / "system" / "programs" / "reused_buffers.c"
    run(BIN / "stretto-cc", "-O1", "-g", "-fno-inline", source, "-o", program)
    command = (BIN / "mpiexec", "-n", "2", program, way)
    run(BIN / "stretto", "trace", "--memory", "byte", "-o", trace, "--", *command)
    found = json.loads(run(BIN / "stretto", "potential", trace, "--json").stdout)["movable"]
    regions = [one for at in found if at["side"] == "arrival" for one in at["regions"]]
    shares = {one["where"].split()[0]: one["independent_s"] / one["work_s"] for one in regions}
    assert shares["other"] > 0.9
    assert shares["overwrite"] < 0.2
