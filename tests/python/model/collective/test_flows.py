# SPDX-License-Identifier: BSD-3-Clause
"""Programs of ranks in time: by hand, and as SimGrid's machines took; and what follows of calls in a row."""

import math
from dataclasses import replace

import pytest

from stretto.data.collectives import Part as Addend
from stretto.data.collectives import RuntimeFunction, Term
from stretto.data.figures import Figure
from stretto.model.collective.flows import Machine, makespan_s
from stretto.model.collective.functions import Functions
from stretto.model.collective.jacobi import LAYOUTS, predict_iteration
from stretto.model.collective.meeting import beyond_s, machine_of
from stretto.model.collective.programs import Action, Part, Programs, parts_of, programs_of
from stretto.model.collective.two_phase import Grid, parse_grid, phases_of, predict_two_phase

CLIC = Machine(10e-6, 40e-6, 1 / 11.15e6, 65535)  # platforms/clic.json
T3E = Machine(6.95e-6, 0.1e-6, 1 / 325e6, 65535, (8, 8, 8))
BYTES_ONLY = Machine(0.0, 0.0, 1.0, math.inf)


def one_sender(*sizes: float) -> Programs:
    """Rank 0 sends the i-th to rank i + 1."""
    sends = [Action("send", (i + 1,), size) for i, size in enumerate(sizes)]
    return [sends, *([Action("receive", (0,), size)] for size in sizes)]


def test_one_message_takes_what_loggp_says() -> None:
    machine = Machine(2.0, 5.0, 0.5, 100.0)
    assert makespan_s(one_sender(10.0), machine) == pytest.approx(2 + 5 + 5 + 2)
    waits = one_sender(10.0)
    waits[1].insert(0, Action("work", (), 50.0))
    assert makespan_s(waits, machine) == pytest.approx(50 + 2)  # it is there already
    meets = replace(machine, eager_limit_bytes=9.0)
    assert makespan_s(waits, meets) == pytest.approx(50 + 5 + 5 + 2)  # it goes when the receiver is there


def test_messages_share_a_link_and_what_one_leaves_the_others_have() -> None:
    assert makespan_s(one_sender(1.0, 1.0), BYTES_ONLY) == pytest.approx(2)
    assert makespan_s(one_sender(10.0, 1.0, 1.0), BYTES_ONLY) == pytest.approx(12)
    # The farther goes over both links of the nearer's ring: it has a third of the first.
    ring = replace(BYTES_ONLY, torus=(8,))
    assert makespan_s(one_sender(2.0, 0.0), ring) == pytest.approx(2)
    assert makespan_s(one_sender(2.0, 2.0), ring) == pytest.approx(4)
    both = one_sender(2.0, 3.0)
    both[1].append(Action("send", (0,), 1.0))  # when the nearer is there, at 3
    both[0].append(Action("receive", (1,), 1.0))
    assert makespan_s(both, ring) == pytest.approx(5)


def test_ranks_that_wait_for_ever_are_an_error() -> None:
    both_send = [[Action("send", (1 - i,), 1.0), Action("receive", (1 - i,), 1.0)] for i in (0, 1)]
    assert makespan_s(both_send, BYTES_ONLY) == pytest.approx(1)
    with pytest.raises(ValueError, match="wait for each other"):
        makespan_s(both_send, replace(BYTES_ONLY, eager_limit_bytes=0.0))


# In us: the whole call, its leader groups and its concurrent groups alone, by the probe on simulated machines.
SIMULATED = [
    (CLIC, "broadcast", 12800, "4x5", 15002.6, 4703.3, 3515.9),
    (CLIC, "scatter", 1600, "10x2", 4174.3, 1504.0, 1372.0),
    (CLIC, "gather", 1600, "5x4", 2906.5, 2236.8, 669.7),
    (CLIC, "reduce", 1600, "4x5", 1019.6, 504.8, 514.8),
    (CLIC, "allreduce", 12800, "5x4", 16396.4, 7044.1, 8223.0),
    (CLIC, "allgather", 200, "2x10", 3028.2, 1883.0, 670.1),
    (T3E, "broadcast", 50000, "12x3", 1735.5, 322.0, 1659.6),
    (T3E, "scatter", 12800, "4x9", 1270.5, 644.6, 257.2),
    (T3E, "allreduce", 50000, "6x6", 3017.5, 1593.5, 1732.2),
    (T3E, "allgather", 1600, "12x3", 1964.4, 73.0, 2088.1),
]


@pytest.mark.parametrize(("machine", "operation", "b", "grid", "total", "leader", "concurrent"), SIMULATED)
def test_it_is_what_simulated_machines_took(
    machine: Machine, operation: str, b: int, grid: str, total: float, leader: float, concurrent: float
) -> None:
    phases = phases_of(operation, parse_grid(grid, 36 if machine.torus else 20), b)
    whole = makespan_s(programs_of([part for phase in phases for part in phase]), machine)
    assert whole == pytest.approx(1e-6 * total, rel=0.012)
    beyond = beyond_s(machine, phases_of(operation, parse_grid(grid, 36 if machine.torus else 20)), b)
    assert 1e-6 * (leader + concurrent) + beyond == pytest.approx(1e-6 * total, rel=0.005)


def functions_of(machine: Machine, operation: str, sends: str, sizes: tuple[int, int]) -> RuntimeFunction:
    """What a fit would find on such a machine: start-ups of overheads and stages, and the links."""
    terms = (
        Term("overheads", "1", Figure(machine.overhead_s)),
        Term("ceil-log2-p", "1", Figure(machine.latency_s)),
        Term(sends, "b", Figure(machine.gap_s_per_byte)),
    )
    return RuntimeFunction(operation, 2, 96, *sizes, algorithm="reference", terms=terms)


def fitted(machine: Machine) -> Functions:
    limit = int(machine.eager_limit_bytes)
    entries = [
        functions_of(machine, operation, sends, sizes)
        for operation in ("broadcast", "reduce", "gather")
        for sends, sizes in (("links-eager", (1, limit)), ("links-in-turn", (limit + 1, 10**7)))
    ]
    parts = {
        "allreduce": (Addend("reduce", "b"), Addend("broadcast", "b")),
        "allgather": (Addend("gather", "b"), Addend("broadcast", "p b")),
    }
    for operation, sum_of in parts.items():
        entries.append(RuntimeFunction(operation, 2, 96, 1, 10**7, algorithm="reference", sum_of=sum_of))
    return Functions(tuple(entries), "reference", torus=machine.torus)


def test_what_a_message_takes_is_read_from_the_functions() -> None:
    functions = fitted(CLIC)
    found = functions.machine
    assert found is not None
    assert found.overhead_s == pytest.approx(CLIC.overhead_s)
    assert found.latency_s == pytest.approx(CLIC.latency_s)
    assert found.gap_s_per_byte == pytest.approx(CLIC.gap_s_per_byte)
    assert found.eager_limit_bytes == CLIC.eager_limit_bytes
    eager_only = [entry for entry in functions.entries if entry.size_min_bytes == 1]
    only = machine_of(eager_only, ())
    assert only is not None and only.eager_limit_bytes == math.inf
    library = [replace(entry, algorithm="library") for entry in functions.entries]
    assert machine_of(library, ()) is None
    assert Functions(tuple(library)).beyond_s(phases_of("broadcast", Grid(4, 4)), 1000) == 0.0


def test_calls_in_a_row_are_predicted_as_one() -> None:
    functions = fitted(CLIC)
    for operation, b in (("broadcast", 20_000), ("allreduce", 20_000), ("allgather", 4000)):
        flat = functions.predict(operation, 20, b).time_s
        alone = makespan_s(programs_of(parts_of(operation, 20, size=b)), CLIC)
        assert flat == pytest.approx(alone, rel=0.02)
        for grid in (Grid(4, 5), Grid(2, 10)):
            whole = makespan_s(
                programs_of([p for phase in phases_of(operation, grid, b) for p in phase]), CLIC
            )
            assert predict_two_phase(functions, operation, grid, b).total.time_s == pytest.approx(
                whole, rel=0.02
            )


# Seconds an iteration of `stretto run jacobi` took, 20 iterations, on simulated clic with --set algorithm=reference.
JACOBI = [
    (16, 1000, "row", "flat", 7.841e-3),
    (16, 1000, "row", "4x4", 3.976e-3),
    (16, 4000, "row", "flat", 32.280e-3),
    (16, 1000, "column", "flat", 12.366e-3),
    (16, 1000, "column", "4x4", 11.114e-3),
    (32, 2000, "column", "flat", 34.248e-3),
]


@pytest.mark.parametrize(("members", "unknowns", "layout", "grid", "measured_s"), JACOBI)
def test_jacobi_iterations_meet_each_other(
    members: int, unknowns: int, layout: str, grid: str, measured_s: float
) -> None:
    chosen = None if grid == "flat" else parse_grid(grid, members)
    found = predict_iteration(fitted(CLIC), layout, unknowns, members, 1.25e-9, chosen)
    assert found.time.time_s == pytest.approx(measured_s, rel=0.05)


def test_iterations_of_functions_without_messages_are_the_papers_equations() -> None:
    functions = fitted(CLIC)
    library = Functions(
        tuple(replace(e, algorithm="library") for e in functions.entries if e.sum_of is None), "library"
    )
    column = predict_iteration(library, LAYOUTS[1], 1000, 16, 1e-9, None)
    parts = [library.predict(operation, 16, 8000).time_s or 0.0 for operation in ("reduce", "broadcast")]
    assert column.time.time_s == pytest.approx(2 * 63 * 999 * 1e-9 + sum(parts))


def test_a_part_in_groups_has_the_messages_of_all() -> None:
    programs = programs_of([Part("gather", 3)])
    assert programs[0] == [Action("receive", (1,), 1.0), Action("receive", (2,), 1.0)]
    assert sum(len(program) for program in programs) == 4
