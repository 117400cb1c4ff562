# SPDX-License-Identifier: BSD-3-Clause
"""The one screen: the answer first, within 24 lines of 80 columns, and never a figure that is not known."""

import html
import random
import re
from dataclasses import replace
from typing import Any

import pytest
from report_documents import document_of, eta
from rich.cells import cell_len
from synthetic_machine import Json, figure

from stretto.data.loads import Load
from stretto.data.sample_rows import CaseEnd
from stretto.report.answer import answer_of, confidence, saving, verdict_of
from stretto.report.answer_words import verdict_text
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.prose import capital
from stretto.report.screen import plain_text
from stretto.report.sentences import headlines
from stretto.report.views.answer import LINES, Next, answer_view

SIZES = (16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20)
BUSY = "too busy: the ranks lost their processor in 30 of 36 samples"
FOLLOWING = Next("stretto-out/20261124T000000Z-probes", "stretto gain -- mpiexec -n 2 ./app")
EMULATED = {"on": "emulated", "locality": "remote"}

Overlap = tuple[float | None, float]
"""Value and half width."""


def same(value: float | None, half: float = 0.03) -> list[Overlap]:
    return [(value, half)] * len(SIZES)


def document(
    plain: list[Overlap], poll: list[Overlap] | None = None, reason: str = BUSY, **place: Any
) -> Document:
    axes = {"on": "local", "locality": "same-node", "ranks": 2} | place
    rows: list[Json] = []
    for progress, values in (("none", plain), ("poll", poll or [])):
        for size, (value, half) in zip(SIZES, values):
            mine = {"direction": "both-ways", "progress": progress, **axes}
            row = eta(value, size, *(() if value is None else (value - half, value + half)), **mine)
            rows.append(row | {"reason": reason} if value is None else row)
            point = {"probe": "overlap", "transport": "mpi-two-sided", "operation": "send", "side": "both"}
            point |= {"size_bytes": size, "ratio": 1.0, **mine}
            slower = 1.1 if progress == "poll" else 1.0
            rows.append(figure("time", "s", slower * size * 2e-9, quantity="T_c", **point))
            rows.append(figure("kappa", "1", 1.04, **point))
    quick = {"transport": "mpi-two-sided", "operation": "send", **axes}
    rows.append(figure("latency", "s", 0.93e-6, probe="latency", size_bytes=8, **quick))
    rows.append(
        figure("bandwidth", "B/s", 5.1e9, probe="bandwidth", direction="one-way", size_bytes=4 << 20, **quick)
    )
    hosts = ["emulated-0", "emulated-1"] if axes["on"] == "emulated" else ["vm-1", "vm-1"]
    return document_of(rows, **axes, hosts=hosts, network="htb 500mbit" if axes["on"] == "emulated" else "")


def screen(*documents: Document, notes: tuple[str, ...] = ()) -> str:
    answers = [answer for one in documents if (answer := answer_of(one)) is not None]
    text = plain_text(answer_view(answers, FOLLOWING, notes))
    lines = text.splitlines()
    assert len(lines) <= LINES, text
    assert all(cell_len(line.rstrip()) <= 80 for line in lines), text
    return " ".join(text.split())


def test_the_answer_comes_first_and_the_next_command_last() -> None:
    text = screen(document(same(0.95), same(0.94)))
    assert text.startswith("Can MPI communicate while I compute, here? On one node yes (95 % hidden).")
    assert text.endswith("stretto show stretto-out/20261124T000000Z-probes all")
    assert "stretto gain -- mpiexec -n 2 ./app" in text
    assert f"Page {FOLLOWING.directory}/report.html" in text


def of_directions(one_way: float | None, both_ways: float | None, half: float = 0.02) -> Document:
    """Overlap at two sizes, measured one way and both ways at once."""
    rows: list[Json] = []
    for direction, value in (("one-way", one_way), ("both-ways", both_ways)):
        for size in SIZES[-2:]:
            interval = () if value is None else (value - half, value + half)
            rows.append(eta(value, size, *interval, direction=direction))
    return document_of(rows, **{"on": "local", "locality": "same-node", "ranks": 2})


@pytest.mark.parametrize(
    ("one_way", "both_ways", "half"),
    [
        *((0.95, both_ways, 0.02) for both_ways in (0.95, 0.5, 0.05, -0.4, None)),
        *((one_way, 0.5, half) for one_way in (0.05, None) for half in (0.12, 0.3)),
        (None, None, 0.02),
    ],
)
def test_the_screen_and_the_page_give_one_verdict(
    one_way: float | None, both_ways: float | None, half: float
) -> None:
    run = of_directions(one_way, both_ways, half)
    answer = answer_of(run)
    assert answer is not None
    verdict = verdict_text(answer.stretches)
    on_screen = " ".join(plain_text(answer_view([answer], FOLLOWING)).split())
    assert f"here? On one node {verdict}." in on_screen
    (sentence, *_) = headlines(run)
    asked = "Does plain MPI communicate while a program computes, both ways at once? "
    assert sentence.text.startswith(f"{asked}{capital(verdict)}.")
    page = re.sub(r"<[^>]+>", "", render(run))
    assert f"{capital(verdict)}." in " ".join(html.unescape(page).split())


def test_one_way_and_both_ways_are_not_mixed_up() -> None:
    answer = answer_of(of_directions(0.95, 0.05))
    assert answer is not None and verdict_text(answer.stretches) == "no (5 % hidden)"


def test_a_node_and_a_network_stand_side_by_side() -> None:
    network = [(0.95, 0.02), (0.93, 0.02), (0.88, 0.04), (0.02, 0.03), (-0.5, 0.08)]
    text = screen(document(same(0.0), same(0.01)), document(network, same(0.93), **EMULATED))
    assert "On one node no (0 % hidden)." in text
    assert (
        "Over the emulated network at 16 KiB to 256 KiB yes (88 to 95 % hidden), from 1 MiB on no (−50 to 2 %"
        in text
    )
    assert re.search(r"4 MiB +-?0 .*-50 \(-58\.\.-42\) fair +93 \(90\.\.96\)", text)
    assert "Emulated: 500mbit TCP between namespaces" in text
    assert "Below 64 KiB an emulated link shows its latency, not its rate." in text


def test_the_table_has_the_sizes_that_all_places_have() -> None:
    node, network = document(same(0.0)), document(same(0.9), **EMULATED)
    rows = [row for row in network.results.rows if row.axes.get("size_bytes") != SIZES[0]]
    network = replace(network, results=replace(network.results, rows=rows))
    text = screen(node, network)
    assert not re.search(r"# Size.*16 KiB .*What helps", text)
    assert re.search(r"# Size.*64 KiB .*4 MiB .*What helps", text)
    assert "Below 64 KiB" not in text


def test_a_programs_time_names_the_size_of_each_place_where_a_busy_machine_leaves_another() -> None:
    network = [(0.04, 0.02), (0.92, 0.02), (None, 0.0), (None, 0.0), (None, 0.0)]
    text = screen(document(same(0.0)), document(network, **EMULATED))
    assert re.search(
        r"A program with 30 % of its time in halo exchange would take as long as before on one node at 4 MiB, "
        r"2\d % less time over the emulated network at 64 KiB if it computed at the same time\.",
        text,
    ), text
    both = screen(document(same(0.0)), document(same(0.92), **EMULATED))
    assert "in halo exchange, at 4 MiB, would take as long as before on one node, 2" in both


def test_what_helps_says_what_it_costs() -> None:
    text = screen(document(same(0.02), same(0.93), **EMULATED))
    assert (
        "Over the emulated network calling MPI_Test while computing hides 93 % instead of 2 % at 4 MiB"
        in text
    )
    assert "computation 1.04 (kappa), the exchange 1.10 (T_c) times as long" in text
    nothing = screen(document(same(0.02), same(0.03)))
    assert "MPI_Test while computing hides little or no more: the ranks' own cores copy the data" in nothing
    assert "nothing is needed" in screen(document(same(0.95), same(0.96), **EMULATED))


@pytest.mark.parametrize(
    ("plain", "other", "said"),
    [
        (same(0.02), same(None), "it is not known whether calling MPI_Test while computing hides more."),
        (same(0.02), same(0.1, 0.3), "it is not known whether calling MPI_Test while computing hides more."),
        (
            same(0.5, 0.1),
            same(0.65, 0.1),
            "it is not known whether calling MPI_Test while computing hides more.",
        ),
        (
            same(0.02),
            [*same(0.03)[1:], (None, 0.0)],
            "MPI_Test while computing hides little or no more at 16 KiB, 64 KiB, 256 KiB and 1 MiB; "
            "at 4 MiB that is not known.",
        ),
        (
            [*same(0.95)[1:], (0.02, 0.02)],
            [*same(None)[1:], (0.03, 0.02)],
            "calling MPI_Test while computing hides little or no more.",
        ),
    ],
)
def test_no_help_is_said_only_of_what_is_known(plain: list[Overlap], other: list[Overlap], said: str) -> None:
    assert said in screen(document(plain, other, **EMULATED))


def test_a_program_with_thirty_percent_of_exchange_gains_what_is_hidden() -> None:
    answer = answer_of(document(same(0.5), same(0.9)))
    assert answer is not None
    plain, poll = answer.plain[-1], answer.others[-1]
    assert saving(plain, plain) == pytest.approx(0.15)
    assert saving(poll, plain) == pytest.approx(0.3 * (1 - 1.1 * 0.1))
    text = screen(document(same(0.5), same(0.9), **EMULATED))
    assert "15 % less time over the emulated network (27 % less time with MPI_Test)" in text
    assert "15 % more time" in screen(document(same(-0.5)))
    assert "as long as before on one node" in screen(document(same(0.0)))


def test_a_busy_machine_is_said_first_with_what_to_do() -> None:
    busy = replace(
        document(same(None), same(None)),
        loads=(Load("vm-1", "during", 20.0, 8, 2, 7.9, 0.0, 0.9, 4),),
        disturbed=0.8,
    )
    text = screen(busy)
    assert text.startswith("The machine is busy: other programs take 7.9 of 8 cores, and disturb 80 % of the")
    assert "On one node it is too busy to say." in text
    assert "Wait until they end" in text and "taskset -c 2,3 stretto probe" in text
    assert not re.search(r"\d % hidden|hides \d|\d % less time", text)
    assert "quiet" not in text


def test_cores_are_named_only_where_others_can_be_free() -> None:
    loads = (Load("vm-1", "during", 20.0, 2, 2, 1.9, 0.0, 0.9, 4),)
    text = screen(replace(document(same(0.5), same(0.9)), loads=loads))
    assert "Wait until they end" in text and "taskset" not in text


def test_lost_processors_are_not_blamed_on_idle_programs() -> None:
    text = " ".join(screen(replace(document(same(0.5), same(0.9)), disturbed=0.13)).split())
    assert text.startswith("The ranks lost their processor in 13 % of the samples on one node, though other")
    assert "is busy" not in text and "Wait until" not in text


def test_a_busy_machine_shows_no_rough_figure() -> None:
    rough = [(0.08, 0.53), (0.5, 0.09), *same(-0.22, 1.0)[2:]]
    loads = (Load("vm-1", "before", 0.3, 2, 2, 1.9, 0.0, 0.9, 4),)
    text = screen(replace(document(rough, rough), loads=loads))
    assert "16 KiB too busy" in text and "4 MiB too busy" in text
    assert "64 KiB 50 (41..59) fair" in text
    assert "-22" not in text and "8 (" not in text


def test_what_is_unresolved_is_said_with_its_reason() -> None:
    text = screen(document(same(None), reason="T_c of 1e-07 s is under 10 noise floors of 2e-07 s"))
    assert "On one node unresolved (T_c of 1e-07 s is under 10 noise floors of 2e-07 s)." in text


def test_a_figure_wider_than_a_headline_may_be_is_about() -> None:
    assert "no (about 5 % hidden)" in screen(document(same(0.05, 0.15)))
    assert "unclear (about 50 % hidden)" in screen(document(same(0.5, 0.3)))


@pytest.mark.parametrize(
    ("ended_by", "reason"),
    [("budget", "the time was up; a longer --budget narrows it"), ("rounds", "more --rounds narrow it")],
)
def test_why_a_figure_is_rough_is_said_once(ended_by: str, reason: str) -> None:
    ends = (CaseEnd("overlap", 0, ended_by, 12, 0), CaseEnd("latency", 1, "noise", 12, 0))
    rough = replace(document(same(0.05, 0.15)), case_ends=ends)
    network = replace(document(same(0.5, 0.15), **EMULATED), case_ends=ends)
    assert screen(rough, network).count(f"{reason}.") == 1
    assert "rough:" not in screen(replace(document(same(0.05, 0.1)), case_ends=ends))
    assert "rough:" not in screen(replace(document(same(None)), case_ends=ends))


def test_a_quiet_machine_is_called_so_where_that_is_known() -> None:
    quiet = replace(document(same(0.0)), loads=(Load("vm-1", "during", 20.0, 2, 2, 0.1, 0.0, 0.0, 2),))
    assert "quiet: others used 0.1 of 2 cores" in screen(quiet)
    assert "quiet" not in screen(document(same(0.0)))


def test_notes_say_what_was_not_measured() -> None:
    text = screen(document(same(0.0)), notes=("No emulated network: it failed its self-test.",))
    assert (
        "One node: its shared memory is not a network. No emulated network: it failed its self-test." in text
    )


@pytest.mark.parametrize("note", ["word " * 80, "\u5bbd" * 300])
def test_a_long_note_is_cut_by_its_cells(note: str) -> None:
    assert screen(document(same(0.0)), notes=(note,)).count("\u2026") == 1


def test_words_for_intervals_and_values() -> None:
    answer = answer_of(document([(0.5, 0.049), (0.5, 0.099), (0.5, 0.11), (None, 0), (0.19, 0.01)]))
    assert answer is not None
    assert [confidence(p.row("eta")) for p in answer.plain] == ["sure", "fair", "rough", "busy", "sure"]
    assert [verdict_of(p.row("eta")) for p in answer.plain] == ["partly"] * 3 + ["too busy", "no"]
    assert confidence(None) == ""


def test_without_overlap_there_is_no_answer() -> None:
    assert answer_of(document([])) is None


@pytest.mark.parametrize("seed", range(100))
def test_whatever_was_measured_fits_the_screen(seed: int) -> None:
    draw = random.Random(seed)

    def drawn() -> Overlap:
        return draw.choice((None, draw.uniform(-9.99, 9.99), draw.uniform(-0.3, 1.2))), draw.random() ** 4

    one, other = ([drawn() for _ in SIZES] for _ in range(2))
    load = draw.random() < 0.5
    loads = (Load("vm-1", "during", 20.0, 2, 2, 1.9, 0.4, 0.9, 4),) if load else ()
    node = replace(document(one, other), loads=loads, disturbed=0.5 if load else 0.0)
    screen(node, document(other, one, **EMULATED), notes=("No more of it: a reason of some length.",))
