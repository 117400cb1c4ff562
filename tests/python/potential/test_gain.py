# SPDX-License-Identifier: BSD-3-Clause
"""Why nothing is gained, and how the answer reads."""

from dataclasses import replace

import pytest

from stretto.data.loads import Load
from stretto.model.paired_runs import PairedRuns
from stretto.potential.core_shortage import Busy
from stretto.potential.gain import Gain, Prediction, prediction_of, with_setting_alone, without_thread
from stretto.potential.progress_gain import Calls, ReplayedTimes
from stretto.report.screen import plain_text
from stretto.report.views.gain import gain_document, gain_view

CALLS = Calls(operations=1000, nonblocking=800, mean_bytes=1 << 20, blocked_s=3.0)
TIMES = ReplayedTimes(recorded_s=9.5, inside_calls_s=9.4, thread_s=7.5, offload_s=7.4)
SAVES = PairedRuns((10.0, 10.1, 10.2, 10.0, 10.1), (8.1, 8.2, 8.15, 8.1, 8.2))
NOTHING = PairedRuns((10.0, 10.1, 10.2, 10.0, 10.1), (10.1, 10.0, 10.1, 10.1, 10.2))
UNDECIDED = PairedRuns((10.0, 10.5, 10.2, 10.0, 10.1), (9.1, 10.6, 9.4, 10.0, 9.9))
COSTS = PairedRuns((10.0, 10.1, 10.2, 10.0, 10.1), (11.0, 11.1, 11.1, 11.1, 11.2))


def gain(
    runs: PairedRuns,
    calls: Calls | None = CALLS,
    times: ReplayedTimes | None = TIMES,
    eager: int | None = 1 << 14,
    crowded: bool = False,
    libraries: tuple[str, ...] = ("progress",),
) -> Gain:
    prediction = Prediction(calls=calls, times=times, eager_bytes=eager)
    line = "stretto preload progress -- mpiexec -n 2 ./app"
    return Gain(libraries, "mpiexec -n 2 ./app", line, runs, prediction, crowded)


def test_the_answer_is_the_first_line_and_the_line_for_the_job_script_the_last() -> None:
    text = plain_text(gain_view(gain(SAVES)))
    first, *_, last = text.splitlines()
    assert first.startswith("mpiexec -n 2 ./app: progress saves 19 % (19 to 20), predicted 19 %")
    assert last == "  stretto preload progress -- mpiexec -n 2 ./app"
    assert max(map(len, text.splitlines())) <= 80


def test_what_to_do_next_is_one_command_a_line() -> None:
    lines = plain_text(gain_view(gain(NOTHING))).splitlines()
    assert lines[-3:] == [
        "What else could help:",
        "  stretto trace -o TRACE -- COMMAND",
        "  stretto potential TRACE",
    ]


def test_what_a_setting_saves_alone_is_part_of_the_prediction() -> None:
    prediction = replace(prediction_of(CALLS, TIMES, 1 << 14), setting_saves_s=1.2)
    found = replace(gain(SAVES), prediction=prediction, setting="OMPI_MCA_btl_tcp_flags=9")
    assert found.predicted() == pytest.approx((1.9 + 1.2) / SAVES.plain())
    assert gain_document(found)["note"].startswith(
        "OMPI_MCA_btl_tcp_flags=9, which the library sets, saves 12 % alone"
    )
    assert "saves 12 % alone" in plain_text(gain_view(found))
    assert gain_document(gain(SAVES))["note"] is None


@pytest.mark.parametrize(
    ("alone_s", "saved_s"),
    [
        ((6.0, 6.5, 6.2), 3.8),
        ((9.4, 9.3, 9.4), 0.6),
        ((9.6, 9.7, 9.6), 0.0),
        ((6.0, 6.5, 9.95), 0.0),
        ((12.0, 12.1, 12.0), -2.0),
        ((10.2, 10.4, 10.4), 0.0),
    ],
)
def test_a_setting_counts_where_all_its_runs_are_clearly_shorter_or_longer(
    alone_s: tuple[float, ...], saved_s: float
) -> None:
    runs = PairedRuns((10.0, 9.9, 10.3), alone_s)
    found = with_setting_alone(prediction_of(CALLS, TIMES, 1 << 14), runs)
    assert found.setting_saves_s == pytest.approx(saved_s)


@pytest.mark.parametrize(
    ("runs", "noise"),
    [(NOTHING, ""), (UNDECIDED, ""), (COSTS, "; what differs is noise"), (SAVES, "; what differs is noise")],
)
def test_without_a_thread_nothing_differs_whatever_the_runs_say(runs: PairedRuns, noise: str) -> None:
    prediction = Prediction(calls=CALLS, no_thread="2 ranks on one host of 2 cores leave none", ranks=2)
    found = replace(gain(runs), prediction=prediction, setting="OMPI_MCA_btl_tcp_flags=9")
    assert found.predicted() == 0.0
    assert found.reason() == f"2 ranks on one host of 2 cores leave none{noise}"
    document = gain_document(found)
    assert (document["verdict"], document["runs_to_decide"]) == ("nothing", None)
    assert "nothing to gain from progress" in plain_text(gain_view(found))


def test_medians_and_pairs_that_differ_do_not_contradict_each_other() -> None:
    """On a busy machine the medians may rise where a pair saves: each figure says what it is of."""
    runs = PairedRuns((10.0, 13.0, 9.0, 12.0, 10.0), (9.7, 12.5, 11.5, 11.6, 9.7))
    prediction = Prediction(calls=CALLS, no_thread="one core leaves none", ranks=2)
    text = " ".join(plain_text(gain_view(replace(gain(runs), prediction=prediction))).split())
    assert runs.changed() > runs.plain() and runs.saved().value > 0
    assert "10.67 s as it is, 10.93 s with it, the medians of 5 pairs of runs: in a pair it saves" in text


def test_a_negative_saving_is_a_cost() -> None:
    runs = PairedRuns(UNDECIDED.changed_s, UNDECIDED.plain_s)
    text = " ".join(plain_text(gain_view(gain(runs))).split())
    assert (
        text.endswith("stretto potential TRACE")
        and ": in a pair it costs 4.2 % (-1.3 to 10), predicted" in text
    )
    same = plain_text(gain_view(gain(PairedRuns((1.0,) * 5, (1.0000001,) * 5))))
    assert "-0.0 %" not in same and "(-0.0" not in same and "to -0.0" not in same


def test_between_hosts_the_setting_of_the_library_counts_without_a_thread_too() -> None:
    prediction = Prediction(
        calls=CALLS, no_thread="the library starts no thread: a rank may use one core only"
    )
    saves, costs = (
        replace(gain(runs), prediction=prediction, setting="OMPI_MCA_btl_tcp_flags=9")
        for runs in (SAVES, COSTS)
    )
    assert gain_document(saves)["verdict"] == "saves"
    assert gain_document(costs)["verdict"] == "costs" and costs.reason() == prediction.no_thread


def test_flat_calls_on_both_sides_do_not_differ() -> None:
    found = Gain(("collectives",), "./app", "line", COSTS, Prediction(chosen_saves_s=0.0))
    assert gain_document(found)["verdict"] == "nothing" and found.reason().endswith("; what differs is noise")


def test_what_few_runs_cannot_decide_is_said_with_the_number_that_would() -> None:
    found = gain(UNDECIDED)
    document = gain_document(found)
    assert (document["verdict"], document["reason"]) == ("undecided", None)
    more = document["runs_to_decide"]
    assert 6 <= more <= 30
    text = " ".join(plain_text(gain_view(found)).split())
    assert text.startswith("mpiexec -n 2 ./app: undecided: progress saves 4.0 % (-1.4 to 9.4); `--runs")
    assert f"`--runs {more}` would decide" in text and "For the job script" not in text


def test_runs_that_no_number_decides() -> None:
    runs = PairedRuns((10.0, 10.0, 10.0, 10.0), (1.0, 100.0, 1.2, 85.0))
    found = gain(runs)
    assert gain_document(found)["runs_to_decide"] is None
    assert "1000 runs that differ so much would not decide" in " ".join(plain_text(gain_view(found)).split())


def busy(others_cores: float, ranks: int = 2) -> Load:
    return Load("", "during", 1.0, 2, ranks, others_cores, 0.0, 0.0, 3)


def test_other_programs_are_the_reason_where_nothing_is_decided() -> None:
    found = replace(gain(UNDECIDED), load=busy(1.5))
    document = gain_document(found)
    assert document["verdict"] == "too busy" and document["runs_to_decide"] is not None
    text = " ".join(plain_text(gain_view(found)).split())
    assert text.startswith(
        "mpiexec -n 2 ./app: too busy: progress saves 4.0 % (-1.4 to 9.4); the machine is busy: "
    )
    assert "other programs take 1.5 of 2 cores; wait until they end, or `--runs" in text
    assert gain_document(replace(gain(UNDECIDED), load=busy(0.1)))["verdict"] == "undecided"


def test_other_programs_do_not_change_what_the_runs_decide() -> None:
    found = replace(gain(SAVES), load=busy(1.5))
    assert gain_document(found)["verdict"] == "saves"
    assert "other programs take 1.5 of 2 cores, which widens the interval" in " ".join(
        plain_text(gain_view(found)).split()
    )


def test_a_run_that_says_that_it_has_no_thread_gains_nothing() -> None:
    prediction = prediction_of(CALLS, TIMES, 1 << 14)
    said = "of the program\nstretto: no progress thread: a rank may use one core only\n"
    assert without_thread(prediction, ["", said]).no_thread == (
        "the library starts no thread: a rank may use one core only"
    )
    assert without_thread(prediction, ["of the program\n"]) == prediction


def test_a_run_on_one_host_says_so_without_a_trace_too() -> None:
    said = "stretto: no progress thread: 2 ranks and their threads need 4 cores, and may use 2\n"
    prediction = without_thread(Prediction(missing="--no-prediction"), [said])
    found = replace(gain(COSTS), prediction=prediction, setting="UCX_TCP_PUT_ENABLE=n")
    assert prediction.ranks == 2 and gain_document(found)["verdict"] == "nothing"


def test_collectives_are_predicted_by_what_the_chosen_forms_save() -> None:
    chosen = Gain(("collectives",), "./app", "line", SAVES, Prediction(chosen_saves_s=1.5))
    assert chosen.predicted() == pytest.approx(1.5 / SAVES.plain())
    flat = Gain(("collectives",), "./app", "line", NOTHING, Prediction(chosen_saves_s=0.0))
    assert flat.predicted() == 0 and "flat calls" in flat.reason()


@pytest.mark.parametrize(
    ("inside_calls_s", "waited", "wrong_by", "why"),
    [
        (10.9, 0.0, 0.09, ""),
        (9.1, 0.0, 0.09, ""),
        (11.2, 0.0, 0.12, "the replay of the program as it is takes 11.2 s instead of 10 s"),
        (10.2, 0.08, 0.10, "n was busy: rank 1 waited 8 % of its time for a core when it was recorded"),
        (
            8.8,
            0.08,
            0.20,
            "n was busy: rank 1 waited 8 % of its time for a core when it was recorded and the",
        ),
    ],
)
def test_a_prediction_says_how_wrong_it_may_be(
    inside_calls_s: float, waited: float, wrong_by: float, why: str
) -> None:
    times = ReplayedTimes(recorded_s=10.0, inside_calls_s=inside_calls_s, thread_s=8.0, offload_s=8.0)
    found = prediction_of(CALLS, times, 1 << 14, Busy("n", 1, waited) if waited else None)
    assert found.wrong_by == pytest.approx(wrong_by) and found.missing == ""
    assert found.why_wrong.startswith(why) and bool(found.why_wrong) == bool(why)
    answer = Gain(("progress",), "./app", "line", SAVES, found)
    text = " ".join(plain_text(gain_view(answer)).split())
    assert (f"(may be wrong by {100 * wrong_by:.2g}" in text) == bool(why)
    assert ("why the prediction may be wrong: " + why in text) == bool(why)
    assert gain_document(answer)["predicted_wrong_by"] == pytest.approx(wrong_by)


@pytest.mark.parametrize(
    ("inside_calls_s", "waited", "missing"),
    [
        (40.0, 0.0, "the replay of the program as it is takes 40 s instead of 10 s"),
        (10.0, 0.25, "n was busy: rank 1 waited 25 % of its time for a core when it was recorded"),
        (
            11.5,
            0.12,
            "n was busy: rank 1 waited 12 % of its time for a core when it was recorded and the replay",
        ),
    ],
)
def test_a_prediction_that_may_be_wrong_by_all_that_overlap_can_save_is_none(
    inside_calls_s: float, waited: float, missing: str
) -> None:
    times = ReplayedTimes(recorded_s=10.0, inside_calls_s=inside_calls_s, thread_s=2.0, offload_s=2.0)
    found = prediction_of(CALLS, times, 1 << 14, Busy("n", 1, waited) if waited else None)
    assert found.times is None and found.missing.startswith(missing)
    answer = Gain(("progress",), "./app", "line", SAVES, found)
    assert "not predicted" in plain_text(gain_view(answer))
    assert gain_document(answer)["predicted_wrong_by"] is None


def test_a_prediction_that_may_be_wrong_is_no_reason_for_no_gain() -> None:
    times = ReplayedTimes(recorded_s=10.0, inside_calls_s=8.5, thread_s=8.5, offload_s=8.5)
    found = replace(gain(UNDECIDED), prediction=prediction_of(CALLS, times, 1 << 14))
    assert found.reason() == "" and found.verdict() == "undecided"
    holding = replace(times, inside_calls_s=9.9, thread_s=9.9, offload_s=9.9)
    found = replace(gain(UNDECIDED), prediction=prediction_of(CALLS, holding, 1 << 14))
    assert "no computation lies between" in found.reason() and found.verdict() == "nothing"


def test_where_the_network_of_a_prediction_comes_from_is_shown() -> None:
    origin = "network: measured 2 hours ago; --measure-network measures it again"
    found = replace(gain(SAVES), prediction=replace(prediction_of(CALLS, TIMES, 1 << 14), network=origin))
    assert origin in plain_text(gain_view(found))
    assert gain_document(found)["network"] == origin.removeprefix("network: ")


def test_the_document_has_what_was_measured_and_predicted() -> None:
    found = gain_document(gain(SAVES))
    first = ("plain_s", "gained_s", "saved", "ci95_low", "ci95_high", "predicted", "library")
    assert tuple(found)[:7] == first, "scripts rely on these, and people read them first"
    assert found["plain_s"] == pytest.approx(10.07, abs=0.05)
    assert found["gained_s"] == pytest.approx(8.15, abs=0.05)
    assert found["ci95_low"] <= found["saved"] <= found["ci95_high"]
    assert found["predicted"] == pytest.approx(1.9 / found["plain_s"]), "both are of the whole command's time"
    assert (found["library"], found["verdict"], found["reason"]) == ("progress", "saves", None)
    assert found["no_prediction"] is None


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (gain(NOTHING, calls=Calls(0, 0, 0, 0)), "sends no messages"),
        (gain(NOTHING, calls=Calls(1000, 0, 0, 5)), "all its calls block"),
        (gain(NOTHING, calls=Calls(1000, 800, 8, 0.05)), "only 0.5 % of its time is spent in MPI"),
        (gain(NOTHING, times=ReplayedTimes(9, 9, 9, 9), eager=1 << 21), "by itself"),
        (gain(NOTHING, times=ReplayedTimes(9, 9, 9, 9)), "no computation lies between start and wait"),
        (gain(NOTHING, crowded=True), "share cores"),
        (gain(NOTHING), "it saves less than 2 % of the time"),
        (gain(NOTHING, calls=None, times=None, eager=None), "it saves less than 2 %"),
        (gain(NOTHING, calls=Calls(1000, 0, 0, 5), libraries=("collectives",)), "it saves less than 2 %"),
        (gain(UNDECIDED, calls=Calls(0, 0, 0, 0)), "sends no messages"),
    ],
)
def test_the_reason_why_nothing_is_gained(found: Gain, reason: str) -> None:
    assert reason in found.reason()
    text = plain_text(gain_view(found))
    assert " ".join(text.split()).startswith("mpiexec -n 2 ./app: nothing to gain from")
    assert reason.split()[0] in text
    assert gain_document(found)["verdict"] == "nothing"


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (gain(COSTS), ""),
        (gain(COSTS, calls=Calls(0, 0, 0, 0)), ", and nothing to gain: it sends no messages"),
    ],
)
def test_a_library_that_costs_time_is_said_to(found: Gain, why: str) -> None:
    text = " ".join(plain_text(gain_view(found)).split())
    assert text.startswith(f"mpiexec -n 2 ./app: progress costs 10 % (8.7 to 11){why} ")
    assert "5 pairs of runs, predicted to save 19 %" in text and text.endswith("stretto potential TRACE")
    document = gain_document(found)
    assert (document["verdict"], document["reason"] is None) == ("costs", not why)


def test_without_a_prediction_it_says_why() -> None:
    found = Gain(("progress",), "./app", "line", SAVES, Prediction(missing="--no-prediction"))
    assert found.predicted() is None
    assert "no prediction: --no-prediction" in plain_text(gain_view(found))
    document = gain_document(found)
    assert (document["predicted"], document["no_prediction"]) == (None, "--no-prediction")
