# SPDX-License-Identifier: BSD-3-Clause
"""The terminal's view is complete and at most 80 cells wide with any names."""

import io
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_documents import document_of, eta
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from synthetic_machine import figure

from stretto.data.sample_rows import CaseEnd
from stretto.report.document import Document
from stretto.report.screen import plain_text as text_of
from stretto.report.screen import show
from stretto.report.text import document_view

FAMILIAR = "# Size  Overall(us)  Compute(us)  Pure Comm.(us)  Overlap(%)"


def plain_text(document: Document) -> str:
    return text_of(document_view(document))


def widest(text: str) -> int:
    return max(cell_len(line) for line in text.splitlines())


def table_after(text: str, heading: str) -> list[str]:
    """The lines from `heading` to the next empty one."""
    return text[text.index(heading) :].split("\n\n")[0].splitlines()


def test_overlap_has_the_familiar_head_and_one_line_a_size(local_text: str) -> None:
    table = table_after(local_text, "Overlap: plain MPI send, progress none, side both")
    assert table[1].startswith(FAMILIAR)
    assert table[2].split() == ["512", "0.824", "0.597", "0.597", "62", "59..65", "24", "1.01"]
    assert [line.split()[0] for line in table[2:6]] == ["512", "16KiB", "256KiB", "4MiB"]


def test_other_transports_show_the_plain_mpis_time_and_their_own(local_text: str) -> None:
    table = table_after(local_text, "Overlap: plain MPI send, progress poll")
    assert "of this transport / of plain MPI" in table[1]
    assert "0.687/0.597" in table[3]


def test_unresolved_figures_are_reported_with_their_reason(local_text: str) -> None:
    table = table_after(local_text, "Overlap: MPI RMA put, progress none")
    assert "unresolved" in table[3].split()
    assert any(
        line.startswith("  unresolved: min(T_c, T_w) is under 10 times") and "(512)" in line for line in table
    )


def test_reasons_that_differ_only_in_numbers_are_reported_once() -> None:
    rows = [eta(None, size) | {"reason": f"T_w of {size / 1e6} s is too short"} for size in (8, 64, 512)]
    text = plain_text(document_of(rows))
    assert "  unresolved: T_w of 8e-06 s is too short (8), likewise 64, 512" in text
    assert text.count("is too short (") == 1


def test_loggp_methods_stand_side_by_side(local_text: str) -> None:
    table = table_after(local_text, "LogGP: plain MPI send, 1 B to 65535 B")
    overhead = next(line for line in table if line.startswith("o_s"))
    assert overhead.split() == ["o_s", "(us)", "0.110", "0.107..0.113", "0.114", "0.109..0.120"]
    assert any("<=0.0990" in line for line in table)
    assert any("upper bound: below max(o_s, o_r) (g)" in line for line in table)


def test_contention_names_the_kinds_of_work(local_text: str) -> None:
    table = table_after(local_text, "Work under traffic (kappa): plain MPI send")
    assert table[1].split() == [
        "#",
        "Size",
        "register",
        "95%",
        "CI",
        "cache",
        "95%",
        "CI",
        "stream",
        "95%",
        "CI",
    ]
    assert table[-1].split()[0] == "1MiB" and "1.44" in table[-1]


def test_the_settings_stand_below_the_figures(local_text: str) -> None:
    text = local_text
    for expected in (
        "MPICH Version: 5.0.2",
        "node-a (2 ranks)",
        "same-node",
        "budget_s 60",
        "LogGP by spaced-trains",
        "noise (intervals within the requested noise): 40 of 41 cases",
        "40 rounds in which a rank started late",
        "0.0500 µs (n 200)",
        "100 transfers, 0 arrived wrong",
        "overlap mpi-rma get: progress thread needs MPI_THREAD_MULTIPLE",
    ):
        assert expected in text


def test_an_emulated_network_shows_its_own_bound(emulated: Document) -> None:
    assert "one-way: 93 % (95% CI 92..94)" in plain_text(emulated)


def test_nothing_at_all_is_still_a_view() -> None:
    text = plain_text(document_of([]))
    assert text.startswith("In short\n")
    assert "Overlap was not measured." in text


def test_the_made_up_machine_fits_80_columns(local_text: str, emulated: Document) -> None:
    assert widest(local_text) <= 80
    assert widest(plain_text(emulated)) <= 80


HOSTILE = "x" * 500 + "\x1b[2J\n" + "漢字" * 60


def test_hostile_names_fit_and_steer_nothing() -> None:
    rows = [
        eta(0.5, 1 << 20, transport=HOSTILE, operation=HOSTILE, progress=HOSTILE),
        eta(None, 8) | {"reason": HOSTILE},
    ]
    document = document_of(
        rows,
        hosts=[HOSTILE] * 3,
        cpu=HOSTILE,
        mpi=HOSTILE,
        clock=3,
        settings={HOSTILE: HOSTILE},
        command=HOSTILE,
    )
    text = plain_text(document)
    assert widest(text) <= 80
    assert "\x1b" not in text


@pytest.mark.slow
def test_thousands_of_rows_of_extreme_figures_fit() -> None:
    axes: dict[str, Any] = {"transport": "mpi-rma", "operation": "put"}
    rows = [
        figure(
            metric,
            "s",
            (-1) ** n * 10.0 ** (n % 600 - 300),
            0.5,
            probe=metric,
            size_bytes=7**n % (1 << 60),
            **axes,
        )
        | {"n": 10**n % 10**9}
        for n in range(3000)
        for metric in ("latency", "bandwidth")
    ]
    rows += [eta((-1) ** n * 1.7**n, n * n + 1, ratio=float(n % 40)) for n in range(300)]
    assert widest(plain_text(document_of(rows))) <= 80


names = st.text(max_size=120)
numbers = st.none() | st.floats(-1e12, 1e12)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "metric": st.sampled_from(
                    ["latency", "bandwidth", "eta", "kappa", "L", "G", "g", "time", "bound", "knee_overlap"]
                ),
                "probe": st.sampled_from(["latency", "overlap", "loggp", "contention"]),
                "unit": st.just("1"),
                "value": numbers,
            },
            optional={
                "ci95_low": numbers,
                "ci95_high": numbers,
                "n": st.integers(0, 10**9),
                "bound": st.sampled_from(["upper", "lower"]),
                "reason": names,
                "transport": names,
                "operation": names,
                "side": names,
                "method": names,
                "quantity": st.sampled_from(["T_c", "T_w", "T_t"]),
                "size_bytes": st.integers(0, 1 << 61),
                "size_min_bytes": st.integers(0, 1 << 61),
                "ratio": st.floats(0, 1e9),
                "work_kind": names,
            },
        ),
        max_size=20,
    )
)
def test_any_document_fits(rows: list[dict[str, Any]]) -> None:
    assert widest(plain_text(document_of(rows))) <= 80


def test_plain_where_it_is_not_a_terminal(
    local: Document, local_text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    show(document_view(local))
    printed = capsys.readouterr().out
    assert printed == local_text
    assert "\x1b" not in printed


def test_colours_on_a_terminal_change_no_text(local: Document, local_text: str) -> None:
    screen = io.StringIO()
    terminal = Console(
        file=screen,
        force_terminal=True,
        color_system="standard",
        width=80,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
    show(document_view(local), terminal)
    assert "\x1b[1m" in screen.getvalue()
    assert Text.from_ansi(screen.getvalue()).plain.split() == local_text.split()


def test_an_uncertain_overlap_is_marked_in_a_column_too_narrow_for_its_interval() -> None:
    rows = [eta(3.57, 8, -4.6, 6.1, ratio=ratio) for ratio in (0.5, 1.0)]
    assert table_after(plain_text(document_of(rows)), "Overlap:")[-1].split() == ["8", "~357", "~357", "-"]


def test_cases_that_an_interrupted_run_has_not_ended_are_counted() -> None:
    """Else "23 of 23 cases" reads as if all figures had intervals within the requested noise."""
    ends = tuple(CaseEnd("latency", case, "noise", 11, 0) for case in range(23))
    document = replace(document_of([eta(0.9, 1 << 20)]), case_ends=ends, planned_cases=105)
    text = " ".join(plain_text(document).split())
    assert "noise (intervals within the requested noise): 23 of 105 cases not ended 82 of 105 cases" in text
    whole = " ".join(plain_text(replace(document, planned_cases=23)).split())
    assert "23 of 23 cases" in whole and "not ended" not in whole


def test_the_letters_behind_intervals_of_loggp_are_explained(local_text: str) -> None:
    lines = [line.rstrip() for line in local_text.splitlines()]
    marks = {line[-1] for line in lines if line.startswith("G (ns/B)") and line[-2:] in (" M", " E")}
    (said, *_) = [line for line in lines if "G of b: " in line]
    assert marks and all(f"({mark})" in said for mark in marks)
