# SPDX-License-Identifier: BSD-3-Clause
"""The answer of `stretto tune`: what saves time, what the search promises only, and what would decide."""

import pytest

from stretto.model.paired_runs import PairedRuns
from stretto.model.race import Race
from stretto.report.screen import plain_text
from stretto.report.views.tune import TuneResult, tune_document, tune_view

LUCKY = ((10.0, 10.1, 10.0), (7.2, 7.0, 7.2))
SURE = PairedRuns((10.0,) * 7, (8.0, 8.1, 8.0, 7.9, 8.0, 8.1, 8.0))
UNSURE = PairedRuns((10.0,) * 7, (9.0, 11.0, 9.2, 10.4, 8.8, 10.1, 9.0))
COSTS = PairedRuns((10.0,) * 7, (11.0, 11.1, 11.0, 11.2, 11.0, 11.1, 11.0))


def result(
    runs: PairedRuns | None, chosen: str = "", tested: str = "progress 0.25ms", budget_s: float | None = None
) -> TuneResult:
    race = Race.of(["progress 0.25ms"])
    for plain, changed in zip(*LUCKY, strict=True):
        race.add(plain, {"progress 0.25ms": changed})
    return TuneResult(
        "./wave", chosen, {}, (), tested if runs else "", runs, 7, budget_s, race, [], "", "./wave", "mpich"
    )


def first_sentence(found: TuneResult) -> str:
    return " ".join(plain_text(tune_view(found)).split("\n\n")[0].split())


@pytest.mark.parametrize(
    ("found", "sentence", "verdict"),
    [
        (
            result(SURE, "progress 0.25ms"),
            "./wave: progress 0.25ms saves 20.0 % (19.0 to 20.5), 7 new pairs of runs",
            "saves",
        ),
        (
            result(PairedRuns((), ()), budget_s=512.0),
            "./wave: undecided: the budget ended before the 7 new pairs of runs that confirm progress 0.25ms, the best "
            "of the search; `--budget 570` decides",
            "undecided",
        ),
        (
            result(PairedRuns((10.0, 10.0), (8.0, 8.2)), budget_s=95.0),
            "./wave: undecided: the budget ended after 2 of the 7 new pairs of runs that confirm progress 0.25ms, the "
            "best of the search; so far it saves 19.0 % (5.2 to 30.8); `--budget 105` decides",
            "undecided",
        ),
        (
            result(UNSURE),
            "./wave: undecided: progress 0.25ms, the best of the search, saves 4.0 % (-5.4 to 11.0) in 7 new pairs of "
            "runs; `--runs 23` would decide",
            "undecided",
        ),
        (
            result(COSTS),
            "./wave: nothing that was measured saves time: progress 0.25ms, the best of the search, saves -10.5 % "
            "(-11.5 to -10.0) in 7 new pairs of runs",
            "nothing",
        ),
        (result(None), "./wave: no setting saves 1 % of the time", "nothing"),
        (
            result(None, budget_s=1000.0),
            "./wave: no setting saves 1 % of the time in the pairs that the budget allowed; `--budget 1100` decides",
            "undecided",
        ),
    ],
)
def test_the_answer_says_what_the_new_pairs_say(found: TuneResult, sentence: str, verdict: str) -> None:
    assert first_sentence(found) == sentence
    document = tune_document(found)
    assert document["verdict"] == verdict
    assert (document["saved"] is not None) == (verdict == "saves")


def test_one_pair_has_no_interval() -> None:
    race = Race.of(["eager 8K"])
    race.add(10.0, {"eager 8K": 9.0})
    found = TuneResult("./wave", "", {}, (), "", None, 7, None, race, [], "", "./wave", "mpich")
    (setting,) = tune_document(found)["settings"]
    assert (setting["pairs"], setting["ci95_low"], setting["ci95_high"]) == (1, None, None)
    assert "inf" not in plain_text(tune_view(found))
