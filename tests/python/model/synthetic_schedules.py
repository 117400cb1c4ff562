# SPDX-License-Identifier: BSD-3-Clause
"""Results of the probes FT and SPMV on machines whose parameters are known, made by the network model."""

from collections.abc import Iterable, Mapping

import numpy as np

from stretto.data.results import AxisValue, ResultRow, Results
from stretto.model.evaluation import Question, Times, evaluate
from stretto.model.measured import SEGMENTS
from stretto.model.network import LogGp, PathCosts
from stretto.model.problem import FtProblem, Problem, SpmvProblem

Slower = Mapping[str, float]


class Machine:
    """A network, a compute rate, and noise: seeded, relative, on every figure."""

    def __init__(
        self, loggp: LogGp, flops_per_s: float, noise: float = 0.0, transport: str = "mpi-rma"
    ) -> None:
        self.loggp, self.flops_per_s, self.transport = loggp, flops_per_s, transport
        self.noise, self.rng = noise, np.random.default_rng(7)

    def run(
        self, problem: Problem, name: str, count: int | None, operation: str, idle: bool = False
    ) -> Times:
        schedule = problem.schedule(name, count, operation)
        work_s = np.zeros(1) if idle else np.array([problem.flops / self.flops_per_s])
        (result,) = evaluate([Question(schedule, PathCosts.uniform(self.loggp), work_s)])
        return result

    def noisy(self, seconds: float) -> float:
        return seconds * (1 + self.noise * float(self.rng.standard_normal()))


def rows_of(
    machine: Machine,
    problem: Problem,
    schedules: Iterable[tuple[str, int | None]],
    slower: Slower | None = None,
) -> list[ResultRow]:
    """A case: every schedule's time and segments, and T_c. `slower`: factors on the time of some schedules."""
    ft = isinstance(problem, FtProblem)
    subject = "ft" if ft else "spmv"
    case: dict[str, AxisValue] = {
        "probe": subject, "on": "simulated", "locality": "remote", "transport": machine.transport,
        "progress": "none", **problem.sizes(), "flops": problem.flops,
    }  # fmt: skip
    if isinstance(problem, SpmvProblem):
        case["nonzero_ratio"] = problem.nonzero_ratio
    elif isinstance(problem, FtProblem):
        case["scale"] = problem.scale
    result = []
    for name, count in schedules:
        operation = "put" if ft or name == "scatter" else "get"
        times = machine.run(problem, name, count, operation)
        factor = (slower or {}).get(name, 1.0)
        axes = {**case, "schedule": name, "operation": operation, "size_bytes": 1}
        if count is not None:
            axes[problem.count_name] = count
        result.append(row(axes, "time", machine.noisy(factor * float(times.total_s[0]))))
        for segment in SEGMENTS[subject]:
            extra_s = (factor - 1) * float(times.total_s[0]) if segment == "sync" else 0.0
            value = float(times.segment_s(segment)[0]) + extra_s
            result.append(row({**axes, "over_ranks": "mean"}, segment, machine.noisy(value)))
            result.append(row({**axes, "over_ranks": "max"}, segment, 2 * value))
    if problem.flops:
        alone = machine.run(problem, problem.bulk_name, None, "put" if ft else "get", idle=True)
        result.append(row({**case, "quantity": "T_c"}, "time", float(alone.total_s[0])))
    return result


def row(axes: Mapping[str, AxisValue], metric: str, value: float) -> ResultRow:
    return ResultRow(metric, "s", value, value, value, 9, dict(axes))


def results_of(rows: Iterable[ResultRow]) -> Results:
    return Results(tuple(rows), ({"schema": "stretto.samples/1.0"},))
