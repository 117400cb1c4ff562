# SPDX-License-Identifier: BSD-3-Clause
"""`make validation ARGS=networks` continues an interrupted run, and its table has every program."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench.harness.checks import Checks, Table
from bench.harness.runner import Context
from stretto.errors import UserError
from stretto.launch.mpi import MpiLibrary
from validation import networks
from validation.network_misses import Prediction, TracedRun
from validation.networks import RATES, Predicted

PROGRAMS = {"halo": ("halo",), "lammps, small": ("lmp", "-in", "in.lj")}


def predicted(error: float) -> Predicted:
    run = TracedRun(2.0, 1.0, 0.01, "MPI_Irecv", 4096)
    rates = {rate: Prediction(rate, [2.0 + 2 * error] * 3, [run] * 3, [run] * 3) for rate in RATES}
    return Predicted(rates)


@pytest.fixture(name="ran")
def _ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that ran; all are missed by a fifth, and `halo` fails."""
    ran: list[str] = []

    def run(places: object, words: Sequence[str], into: Path, turns: int) -> Predicted:
        ran.append(words[0])
        return predicted(0.2) if words[0] == "lmp" else Predicted({}, "halo ended with 1")

    monkeypatch.setattr(networks, "mpiexec_of", lambda build: "mpiexec")
    monkeypatch.setattr(networks, "find_mpi", lambda name: MpiLibrary("mpich", "5.0.2", Path(name)))
    monkeypatch.setattr(networks, "programs_of", lambda context, directory: PROGRAMS)
    monkeypatch.setattr(networks, "_rate", lambda *given: None)
    monkeypatch.setattr(networks, "_predicted", run)
    return ran


def results(output: Path, keep: bool = False, only: str | None = None) -> tuple[Table, Checks]:
    context = Context(Namespace(keep=keep, only=only, turns=None), output, output)
    table, *_, checks = networks.run(context)
    assert isinstance(table, Table) and isinstance(checks, Checks)
    return table, checks


def test_what_is_finished_is_kept_and_what_failed_runs_again(ran: list[str], tmp_path: Path) -> None:
    first, checks = results(tmp_path)
    assert ran == ["halo", "lmp"]
    assert [row[0] for row in first.rows] == list(PROGRAMS)
    assert first.rows[0][-1] == "halo ended with 1"
    assert first.rows[1][:4] == ("lammps, small", "2.00", "+20.0", "2.40 of 2.00")
    assert first.rows[1][-1] == (
        "500mbit: the model of MPI_Irecv of 4096 bytes on average; 100mbit, 1gbit: "
        "the replay at the recorded rate misses alike (+20 %): MPI_Irecv of 4096 bytes on average"
    )
    assert [check.cells[2] for check in checks.checks] == ["0.000", "0.000"]
    second, _ = results(tmp_path, keep=True)
    assert ran == ["halo", "lmp", "halo"] and second.rows == first.rows
    results(tmp_path)
    assert ran[3:] == ["halo", "lmp"], "without --keep all run"


def test_a_run_is_restricted_to_programs_by_the_begin_of_their_names(ran: list[str], tmp_path: Path) -> None:
    table, checks = results(tmp_path, only="lam,x")
    assert ran == ["lmp"] and len(table.rows) == 1
    assert checks.checks[0].target == 1, "no more programs can be predicted"
    with pytest.raises(UserError, match="--only y: no program"):
        results(tmp_path, only="y")
