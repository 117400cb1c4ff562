# SPDX-License-Identifier: BSD-3-Clause
"""Why a time on another network was missed, as the table of `make validation ARGS=networks` says it."""

from dataclasses import replace

import pytest

from validation.network_misses import Prediction, TracedRun, reason

RUN = TracedRun(span_s=2.0, computed_s=1.0, waited=0.01, call="MPI_Waitall", call_bytes=4096)
HERE = Prediction("500mbit", (2.0,) * 3, (RUN,) * 3, (RUN,) * 3)


def there(predicted_s: float, *runs: TracedRun) -> Prediction:
    return Prediction("100mbit", (predicted_s,) * 3, runs or (RUN,) * 3, (RUN,) * 3)


def test_a_prediction_within_a_tenth_needs_no_reason() -> None:
    assert reason(there(2.19), HERE) == "" and reason(there(1.81), HERE) == ""


def test_the_error_is_that_of_the_median_turn() -> None:
    runs = tuple(replace(RUN, span_s=span_s) for span_s in (1.0, 2.0, 8.0))
    assert there(2.0, *runs).error() == pytest.approx(0.0)


@pytest.mark.parametrize("where", ["measured", "recorded"])
def test_waiting_for_cores_comes_first(where: str) -> None:
    found = replace(there(2.6), **{where: (RUN, replace(RUN, waited=0.2), RUN)})
    assert reason(found, HERE) == "a rank waited 20 % of its time for a core"


def test_computation_that_took_another_time_explains_its_part() -> None:
    slower = replace(RUN, computed_s=1.4)
    assert reason(there(1.5, *(slower,) * 3), HERE) == (
        "its computation took 1.4 s there, 1 s where it was recorded"
    )
    assert "computation" not in reason(there(2.5, *(slower,) * 3), HERE), "it would explain the opposite"


def test_runs_that_differ_by_more_than_the_miss_decide_nothing() -> None:
    runs = (replace(RUN, span_s=1.5), RUN, replace(RUN, span_s=2.6))
    assert reason(there(2.5, *runs), HERE) == "runs there take 1.50 to 2.60 s"


def test_a_miss_at_the_recorded_rate_is_the_models_there() -> None:
    here = replace(HERE, predicted_s=(2.4,) * 3)
    assert reason(there(2.6), here) == (
        "the replay at the recorded rate misses alike (+20 %): MPI_Waitall of 4096 bytes on average"
    )
    assert reason(here, here) == "the model of MPI_Waitall of 4096 bytes on average"
    assert reason(there(1.5), here) == "the model of MPI_Waitall of 4096 bytes on average"


def test_messages_that_take_another_time_in_the_probe_explain_a_miss_in_that_direction() -> None:
    slow = replace(RUN, shown_s=61e-6, probed_s=95e-6)
    text = "a message of 4096 bytes takes 61 us in the program, 95 us in the probe"
    assert reason(there(2.6, *(slow,) * 3), HERE) == text
    assert reason(there(1.5, *(slow,) * 3), HERE) == "the model of MPI_Waitall of 4096 bytes on average"


def test_messages_that_share_their_link_where_the_replay_is_right_too_explain_nothing() -> None:
    """Two messages at once take twice the time of one, in the program and in its replay."""
    here = replace(HERE, measured=(replace(RUN, shown_s=20e-6, probed_s=10e-6),) * 3)
    shared = (replace(RUN, shown_s=100e-6, probed_s=50e-6),) * 3
    assert reason(there(1.5, *shared), here) == "the model of MPI_Waitall of 4096 bytes on average"
    slower = (replace(RUN, shown_s=200e-6, probed_s=50e-6),) * 3
    assert "in the probe" in reason(there(1.5, *slower), here)
    missed = replace(here, predicted_s=(1.0,) * 3)
    assert "in the probe" in reason(there(1.5, *shared), missed), "the replay there is wrong, too"
