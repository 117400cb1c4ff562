# SPDX-License-Identifier: BSD-3-Clause
"""The screen of `stretto whatif` says no more than its sweep has seen."""

from dataclasses import replace

import pytest
from test_trace_page import what_if

from stretto.data.sizes import shown_bandwidth, shown_duration
from stretto.report.screen import plain_text
from stretto.report.views.whatif import whatif_view


@pytest.mark.parametrize(
    ("normalised", "said"),
    [
        ((1.0, 1.05), "4 us or more; --latency ends there"),
        ((1.0, 1.2), "2.5 us"),
        ((1.2, 1.3), "below all of these"),
    ],
)
def test_a_latency_at_the_end_of_the_sweep_is_no_limit(normalised: tuple[float, float], said: str) -> None:
    result = what_if(("traced",))
    times = dict(zip(result.latencies_s, normalised))
    rows = tuple(replace(row, normalised_time=times[row.latency_s]) for row in result.rows)
    trace = {
        **result.trace,
        "messages": 1,
        "collectives": 0,
        "span_s": 1.0,
        "compute_s": 0.5,
        "as_computation": {},
    }
    text = plain_text(whatif_view(replace(result, rows=rows, trace=trace)))
    (line,) = [line for line in text.splitlines() if line.startswith("latency that costs")]
    assert line.endswith(f": {said}")


TRACE = {"messages": 1, "collectives": 0, "span_s": 2.5, "compute_s": 0.5, "as_computation": {}}


def test_who_moves_one_sided_operations_is_said_for_each_model() -> None:
    result = what_if(("traced",))
    models = ("offload", "eager-only", "thread=1ms")
    rows = tuple(replace(row, progress_model=model) for model in models for row in result.rows)
    result = replace(result, models=models, rows=rows)
    for count in (0, 3):
        trace = {**result.trace, **TRACE, "one_sided": count}
        text = " ".join(plain_text(whatif_view(replace(result, trace=trace))).split()).replace("# ", "")
        said = (
            "3 one-sided operations are messages of the prediction. offload: the network moves their data; "
            "eager-only: their target must call MPI; thread=1ms: a thread of the target answers"
        )
        assert (said in text) == (count > 0)


def test_the_first_line_answers_in_seconds() -> None:
    result = what_if(("traced",))
    fastest_first = sorted(result.rows, key=lambda row: (-row.bandwidth_bytes_per_s, row.latency_s))
    rows = tuple(replace(row, time_s=float(1 + number)) for number, row in enumerate(fastest_first))
    shown = plain_text(whatif_view(replace(result, rows=rows, trace={**result.trace, **TRACE})))
    assert max(map(len, shown.splitlines())) <= 80
    text = " ".join(shown.split())
    last = len(rows)
    assert text.startswith("Predicted run time as traced: 1 s at ")
    assert f", {last} s at " in text and "It took 2.5 s when it was recorded." in text
    for row in (rows[0], rows[-1]):
        network = f"{shown_bandwidth(row.bandwidth_bytes_per_s)} and {shown_duration(row.latency_s)} latency"
        assert f" s at {network}" in text
    same = tuple(replace(row, time_s=1.0) for row in reversed(rows))
    shown = plain_text(whatif_view(replace(result, rows=same, trace={**result.trace, **TRACE})))
    assert " ".join(shown.split()).startswith(text[: text.index(" latency")])
    one = replace(result, rows=rows[:1], trace={**result.trace, **TRACE})
    one = replace(one, latencies_s=one.latencies_s[:1], bandwidths=(rows[0].bandwidth_bytes_per_s,))
    answer = " ".join(plain_text(whatif_view(one)).split())
    assert answer.startswith("Predicted run time as traced: 1 s at ") and " latency. It took" in answer


def test_whether_sends_wait_for_their_receivers_is_part_of_the_answer() -> None:
    """Between a program of blocking sends with and without it lies a factor of two."""
    result = what_if(("traced",))
    for eager_bytes, said in ((None, True), (65536, False)):
        one = replace(result, eager_bytes=eager_bytes, trace={**result.trace, **TRACE})
        text = " ".join(plain_text(whatif_view(one)).split())
        assert ("with `--eager 64KiB` sends of longer ones wait" in text.partition(" # ")[0]) == said
