# SPDX-License-Identifier: BSD-3-Clause
"""Converts samples of ft and spmv to results, one row per figure; docs/formats.md lists them."""

from collections.abc import Iterator, Mapping

from stretto.data.results import AxisValue, ResultRow
from stretto.data.samples import Samples
from stretto.model.findings import result_row
from stretto.model.gain import Gains, gains_of
from stretto.model.schedules import problems_of


def schedule_rows(
    samples: Samples, run_axes: Mapping[str, AxisValue], noise_floor_s: float, seed: int
) -> Iterator[ResultRow]:
    """All figures of the ft and spmv cases of a run.

    Args:
        samples: The run; samples of other probes are ignored.
        run_axes: The axes that all rows of the run share, such as substrate and ranks.
        noise_floor_s: Times shorter than ten of these are unresolved.
        seed: The seed of the bootstrap.
    """
    for index, problem in enumerate(problems_of(samples.rows)):
        gains = gains_of(problem, noise_floor_s, seed + index)
        axes = {"probe": problem.probe, **run_axes, **problem.axes}
        for name in problem.runs:
            if name in problem.schedules:
                yield from _schedule(gains, name, {**axes, **problem.runs[name].axes})
            else:
                yield result_row({**axes, "quantity": name}, "time", "s", gains.time(name), problem.rounds)
        if gains.has_bound:
            yield result_row(axes, "gain_bound", "1", gains.bound(), problem.rounds)


def _schedule(gains: Gains, name: str, axes: Mapping[str, AxisValue]) -> Iterator[ResultRow]:
    rounds = gains.problem.rounds
    yield result_row(axes, "time", "s", gains.time(name), rounds)
    for segment, over, finding in gains.segment_rows(name):
        yield result_row({**axes, "over_ranks": over}, segment, "s", finding, rounds)
    if gains.has_reference:
        yield result_row(axes, "gain", "1", gains.gain(name), rounds)
    if gains.has_reference and gains.has_bound:
        yield result_row(axes, "gain_fraction", "1", gains.fraction(name), rounds)
    if gains.has_bound:
        yield result_row(axes, "kappa", "1", gains.kappa(name), rounds)
