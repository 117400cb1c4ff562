# SPDX-License-Identifier: BSD-3-Clause
"""The report's sections about models: bars in groups, deviations in words, a crossover with its interval."""

import re

from synthetic_schedules import Machine, results_of, rows_of
from test_report_html import page_of

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, Profile
from stretto.data.profile import Machine as Described
from stretto.data.results import Results
from stretto.model.network import LogGp
from stretto.model.problem import FtProblem, SpmvProblem
from stretto.report.document import Document
from stretto.report.sections.crossover import SECTION as CROSSOVER
from stretto.report.sections.models import SECTION as MODELS


def results() -> Results:
    machine = Machine(LogGp.of(L=4e-6, o=2e-6, g_queue=39e-6, G=2.2e-9), 2e9)
    rows = [
        row
        for scale in (0.0, 1.0)
        for row in rows_of(
            machine, FtProblem(64, 512, 8, scale), (("exchange", 8), ("slabs", 8), ("pencils", 64))
        )
    ]
    return results_of(rows + rows_of(machine, SpmvProblem(1 << 16, 1e-5, 8), (("bulk", None), ("gather", 1))))


def profile() -> Profile:
    fitted = LogGPRange(1, 1 << 23, *map(Figure, (4e-6, 2e-6)), None, None, Figure(39e-6), Figure(2.2e-9))
    entries = tuple(LogGPEntry("mpi-rma", way, "remote", "pencils", (fitted,)) for way in ("put", "get"))
    return Profile(entries, machine=Described(name="by hand", ranks=8))


def test_bars_a_m_and_e_stand_in_groups_and_add_up() -> None:
    document = Document(results(), profile())
    page = page_of(document, [MODELS])
    assert "off on average" in " ".join(page.words)
    ft, spmv = page.specs()
    traces = ft["data"]
    assert isinstance(traces, list) and len(traces) == 4 and len(spmv["data"]) == 6
    assert traces[0]["x"][1][:3] == ["A", "M", "E"] and len(traces[0]["y"]) == 6 * 3
    actual = [sum(trace["y"][index] for trace in traces) for index in (0, 1)]
    assert abs(actual[1] / actual[0] - 1) < 0.01  # M has the true parameters


def test_without_such_runs_there_is_no_section() -> None:
    assert not MODELS.body(Document(Results(()), profile()))
    assert not CROSSOVER.body(Document(Results(()), profile()))


def test_without_a_profile_bar_e_is_shown_and_no_crossover() -> None:
    page = page_of(Document(results()), [MODELS])
    assert "No bar M: no profile" in " ".join(page.words)
    assert not CROSSOVER.body(Document(results()))


def test_the_crossover_is_drawn_and_named_with_its_interval() -> None:
    page = page_of(Document(results(), profile()), [CROSSOVER])
    assert len(page.specs()) == 2
    assert re.search(
        r"pencils lose by more than 1.% above a bandwidth of a rank of \d+ MB/s \(\d+ to \d+\)",
        " ".join(page.words),
    )
