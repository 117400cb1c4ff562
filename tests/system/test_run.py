# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run jacobi`, `mg` and `ft`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import has_program
from screens import refusal

from stretto.model.collective.jacobi import all_iterations, grid_name
from stretto.model.collective.of_profile import functions_of

TERM = {"of_p": "p-1", "of_b": "b", "coefficient": 1e-9}
RANGES = {"members_min": 2, "members_max": 96, "size_min_bytes": 1, "size_max_bytes": 1 << 20}
FUNCTIONS = [
    {"operation": operation, **RANGES, "terms": [TERM]} for operation in ("allgather", "reduce", "broadcast")
]


local = pytest.mark.skipif(
    not has_program("stretto-run", "mpich"),
    reason="STRETTO-RUN IS NOT BUILT FOR MPICH: scripts/native mpich programs builds it",
)
simulated = pytest.mark.skipif(
    not has_program("stretto-run", "simgrid"),
    reason="STRETTO-RUN IS NOT BUILT FOR THE SIMULATOR: scripts/native simulated programs builds it",
)


def stretto(*arguments: str, command: str = "run") -> subprocess.CompletedProcess[str]:
    words = [str(Path(sys.executable).parent / "stretto"), command, *arguments]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)


def document(*arguments: str, command: str = "run") -> dict[str, Any]:
    done = stretto(*arguments, "--json", command=command)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.slow
@local
@pytest.mark.parametrize("variant", ["row", "column"])
@pytest.mark.parametrize("grid", ["flat", "2x2", "3x2"])
def test_the_solution_is_that_of_a_serial_solve(variant: str, grid: str) -> None:
    settings = ("--set", "size=101", "--set", "iterations=5", "--set", f"grid={grid}", "--mpi", "mpich")
    ranks = "5" if grid == "3x2" else "4"
    result = document("jacobi", "--variant", variant, "-n", ranks, *settings)
    assert result["verified"] is True
    assert list(result)[:10] == [
        *(
            "kernel",
            "class",
            "variant",
            "transport",
            "ranks",
            "time_s",
            "mops",
            "verified",
            "timers",
            "messages",
        )
    ]
    assert result["layout"] == variant
    assert result["grid"] == grid
    assert result["time_s"] > 0 and result["mops"] > 0 and result["t_op_s"] > 0


@pytest.mark.slow
@local
@pytest.mark.parametrize(
    ("transport", "progress"), [("mpi-two-sided", "poll"), ("mpi-rma", "poll"), ("stretto", "thread")]
)
@pytest.mark.parametrize("kernel", ["ft", "mg", "cg", "spmv"])
def test_plain_mpi_gets_no_help_from_a_progress_thread(kernel: str, transport: str, progress: str) -> None:
    sizes = ("--variant", "signalled") if kernel == "spmv" else ("--class", "S")
    result = document(kernel, *sizes, "--transport", transport, "-n", "2", "--mpi", "mpich")
    assert result["verified"] is True and result["progress"] == progress


@pytest.mark.slow
@simulated
@pytest.mark.parametrize("chosen", [("--variant", "auto"), ("--variant", "column", "--set", "grid=auto")])
def test_the_model_chooses_layout_and_grid_as_the_equations_have_them(
    chosen: tuple[str, ...], tmp_path: Path
) -> None:
    profile = tmp_path / "profile.json"
    profile.write_text(
        json.dumps({"schema": "stretto.profile/1.0", "loggp": [], "collectives": FUNCTIONS}), encoding="utf-8"
    )
    on = ("--on", "simulated", "--platform", "clic", "-n", "9", "--set", "size=90", "--set", "iterations=2")
    result = document("jacobi", *on, *chosen, "--profile", str(profile))
    # By rows: 8 c b with b of 80 bytes, flat and on 3 x 3. By columns: 16 c b of 720 flat, 8 c b on 3 x 3.
    expected = ("row", "flat") if "auto" in chosen else ("column", "3x3")
    assert (result["layout"], result["grid"]) == expected
    # Two flops an entry at 0.8 Gflop/s, and nothing else, is what computing takes; and reading the clock.
    assert result["t_op_s"] == pytest.approx(1 / 0.8e9, rel=0.05)

    operation_s = result["choice"]["operation_s"]
    iterations = all_iterations(functions_of(profile, "library"), 90, 9, operation_s)
    assert [(row.layout, grid_name(row.grid), row.time.time_s) for row in iterations.rows] == [
        (one["layout"], one["grid"], one["predicted_s"]) for one in result["choice"]["candidates"]
    ]

    run = tmp_path / "run.json"
    run.write_text(json.dumps(result), encoding="utf-8")
    (row,) = document("collective", "--profile", str(profile), "--against", str(run), command="predict")[
        "rows"
    ]
    assert row["predicted_s"] == pytest.approx(result["choice"]["predicted_s"], rel=0.05)
    assert row["time_s"] == pytest.approx(result["time_s"] / 2)


@pytest.mark.slow
@simulated
@pytest.mark.parametrize("variant", ["nonblocking", "blocking"])
def test_multigrid_verifies_on_many_ranks(variant: str) -> None:
    # Every neighbour of 4 x 4 is another rank; a few real ranks do not have that.
    result = document("mg", "--variant", variant, "--on", "simulated", "--platform", "jacquard", "-n", "16")
    assert result["verified"] is True
    assert result["grid"] == "4x4"
    # Four cycles with one level that is cut: halos of 8 pieces at once, or of 2 along each axis; 3 to fold; 3 + 3 to gather.
    halo = 8 if variant == "nonblocking" else 4
    assert result["messages"] == 4 * 16 * (2 * halo + 3 + 3 + 3)


@pytest.mark.slow
@simulated
@pytest.mark.parametrize("kernel", ["cg", "mg"])
def test_auto_runs_the_fastest_variant_that_it_has_timed(kernel: str) -> None:
    # Overlap is ideal on a simulated machine, and each run takes as long as the one before.
    result = document(kernel, "--on", "simulated", "--platform", "jacquard", "-n", "4", "--variant", "auto")
    assert (result["variant"], result["verified"]) == ("nonblocking", True)
    choice = result["choice"]
    times_s = {(one["variant"], one["transport"]): one["measured_s"] for one in choice["candidates"]}
    assert len(times_s) == 6
    assert times_s[result["variant"], result["transport"]] == choice["measured_s"]
    assert choice["measured_s"] <= 1.01 * min(times_s.values())
    assert choice["without_overlap"]["measured_s"] == min(
        one_s for (variant, _), one_s in times_s.items() if variant != "nonblocking"
    )


@pytest.mark.slow
@simulated
def test_ft_verifies_its_first_iterations_alone() -> None:
    on = ("--on", "simulated", "--platform", "jacquard", "-n", "4", "--set", "effort=estimate")
    result = document("ft", *on, "--set", "iterations=2")
    assert result["verified"] is True
    assert result["messages"] == 3 * 64 * 3  # one way there, two back: 64 planes to 3 others


@local
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["song"], "kernel: unknown 'song'"),
        (["jacobi", "--class", "Z"], "--class Z: jacobi has S, W, A, B, C, D"),
        (["jacobi", "--variant", "diagonal"], "--variant diagonal: jacobi has row, column"),
        (["jacobi", "--set", "grid=2x7"], "--set grid=2x7: give flat, auto, or P1xP2 that holds 2 ranks"),
        (["jacobi", "--set", "size=1"], "--set size=1: give a whole number from 2"),
        (["jacobi", "--set", "colour=red"], "--set colour=red: jacobi has size, iterations, grid"),
        (["jacobi", "--set", "size"], "--set size: write NAME=VALUE"),
        (["jacobi", "--variant", "auto"], "--variant auto: needs --profile FILE"),
        (["jacobi", "--set", "grid=auto"], "--set grid=auto: needs --profile FILE"),
        (["jacobi", "--variant", "model", "--profile", "/nowhere"], "/nowhere: no such file"),
        (["jacobi", "--variant", "auto", "--profile", "t3e"], "t3e: no runtime function for"),
        (["jacobi", "--profile", "clic"], "--profile clic: is for --variant auto or --set grid=auto"),
        (["jacobi", "-n", "0"], "-n 0: give at least 1"),
        (["mg", "-n", "3"], "-n 3: mg takes a power of two of ranks"),
        (["ft", "--variant", "auto", "--profile", "/nowhere"], "/nowhere: no such file"),
        (["ft", "--profile", "clic"], "--profile clic: is for --variant auto"),
        (["mg", "--variant", "auto", "--class", "Z"], "--class Z: mg has S, W, A, B, C, D"),
        (
            ["mg", "--variant", "two-sided", "--transport", "stretto"],
            "--transport stretto: variant two-sided is mpi-two-sided",
        ),
        (
            ["ft", "--variant", "alltoall", "--transport", "mpi-rma"],
            "--transport mpi-rma: variant alltoall is mpi-two-sided",
        ),
        (["mg", "--variant", "slabs"], "--variant slabs: mg has nonblocking, blocking, two-sided, auto"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(
    arguments: list[str], text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert text in refusal(capfd, "run", *arguments, "--mpi", "mpich")
