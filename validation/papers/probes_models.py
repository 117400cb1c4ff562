# SPDX-License-Identifier: BSD-3-Clause
"""Architectural probes, models: the cases of figures 20 to 22, 27 and 28, graph against closed form."""

from __future__ import annotations

import numpy as np

from stretto.model.evaluation import Question, Times, evaluate
from stretto.model.network import LogGp, PathCosts
from stretto.model.problem import FtProblem, SpmvProblem
from validation.papers.figures import Computation, Computed, Plot, Series
from validation.papers.probe_machine import segment_s, total_s
from validation.papers.world import World

# o, g and the wire of a message in arbitrary units, as the paper's charts are not to scale.
_OVERHEAD, _QUEUE = 1.0, 4.0
_SPMV_OVERHEAD = 0.05  # section 8.2: L, o and g of a few large messages are negligible
_FT_CASES = {
    "computation": (12.0, 6.0),
    "transfer": (5.0, 10.0),
    "initiation": (1.0, 10.0),
}  # T_comp of a row, and the wire of a message
_SPMV_CASES = {"computation": (30.0, 4.0), "communication": (3.0, 20.0)}
_FT_RANKS, _SPMV_RANKS, _BYTES = 4, 32, 1 << 20


def ft_case(name: str) -> Computation:
    """One case of section 7.3: the picture with N = P = 4, and the closed forms with N = P = 32."""

    def compute(_: World) -> Computed:
        small, large = _ft(name, _FT_RANKS), _ft(name, 32)
        row_s = _FT_CASES[name][0]
        values = {
            "total": total_s(large) / float(large.closed_s["total"][0]),
            "init": (segment_s(large, "init") + segment_s(large, "work"))
            / (float(large.closed_s["init"][0]) + 32 * row_s),
        }
        return Computed(values, _plot(small, ("work", "init", "sync")))

    return compute


def spmv_case(name: str) -> Computation:
    """One case of section 8.1, at prefetch 0."""

    def compute(_: World) -> Computed:
        work_s, wire_s = _SPMV_CASES[name]
        problem = SpmvProblem(_BYTES * _SPMV_RANKS // 8, 1e-6, _SPMV_RANKS)
        costs = _costs(wire_s, problem.block_bytes, _SPMV_OVERHEAD, _SPMV_OVERHEAD)
        work = np.array([work_s * _SPMV_RANKS])
        (times,) = evaluate([Question(problem.schedule("gather", 0), costs, work, np.zeros(1))])
        values = {"total": total_s(times) / float(times.closed_s["total"][0])}
        return Computed(values, _plot(times, ("local_work", "remote_work", "pipeline_init", "sync")))

    return compute


def _ft(name: str, ranks: int) -> Times:
    row_s, wire_s = _FT_CASES[name]
    problem = FtProblem(ranks, _BYTES // 16, ranks)
    costs = _costs(wire_s, problem.row_bytes)
    question = Question(problem.schedule("pencils"), costs, np.array([row_s * ranks]), np.zeros(1))
    return evaluate([question])[0]


def _costs(wire_s: float, size_bytes: int, o: float = _OVERHEAD, g_queue: float = _QUEUE) -> PathCosts:
    return PathCosts.uniform(LogGp.of(o=o, g_queue=g_queue, G=wire_s / size_bytes))


def _plot(times: Times, segments: tuple[str, ...]) -> Plot:
    series = [Series(one.replace("_", " "), [segment_s(times, one)]) for one in segments]
    return Plot("one processor", "time", series, ["graph"], stacked=True)
