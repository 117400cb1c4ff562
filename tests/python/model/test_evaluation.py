# SPDX-License-Identifier: BSD-3-Clause
"""Schedules in requests to `stretto-model`: all draws at once, and refusals that name options."""

import numpy as np
import pytest

from stretto.errors import UserError
from stretto.model.evaluation import Question, evaluate
from stretto.model.network import LogGp, PathCosts
from stretto.model.problem import FtProblem
from stretto.model.schedule import Schedule, shapes_of

FT = FtProblem(16, 4, 4)


def test_draws_are_evaluated_together_as_each_alone() -> None:
    work_s = np.array([1e-3, 5e-3, 0.0])
    values = [(1e-6, 0.3, 0.2), (4e-6, 1.0, 0.0), (2e-6, 0.0, 0.9)]
    columns = [np.array(column) for column in zip(*values)]
    o, overlap, steal = columns
    zero = np.zeros(3)
    together = LogGp(zero + 2e-6, o, zero, zero, zero + 3e-6, zero + 1e-9, overlap, steal, zero + 1e5)
    schedule = FtProblem(16, 4096, 4).schedule("chunks", 8)
    questions = [Question(schedule, PathCosts.uniform(together), work_s)]
    for index, (o_s, phi, sigma) in enumerate(values):
        alone = LogGp.of(L=2e-6, o=o_s, g_queue=3e-6, G=1e-9, overlap=phi, steal=sigma, unattended_bytes=1e5)
        questions.append(Question(schedule, PathCosts.uniform(alone), work_s[index : index + 1]))
    result, *each = evaluate(questions)
    for index, one in enumerate(each):
        assert result.total_s[index] == pytest.approx(one.total_s[0], rel=1e-12)


def test_one_value_for_all_draws_is_each_draws() -> None:
    costs = PathCosts.uniform(LogGp.of(L=1e-6, o=1e-6, G=1e-9))
    (result,) = evaluate([Question(FT.schedule("slabs"), costs, np.full(5, 1e-3), with_communication=True)])
    assert result.communication_s is not None
    assert result.total_s.shape == result.communication_s.shape == (5,)
    assert result.closed_s["total"].shape == result.segments_s["work"].shape == (5,)
    assert result.segment_s("work")[0] == pytest.approx(1e-3)
    assert (result.segment_s("nothing of it") == 0).all()


def test_a_faster_network_is_the_same_with_a_smaller_gap() -> None:
    costs = PathCosts.uniform(LogGp.of(L=1e-6, o=1e-6, G=8e-9))
    schedule, work_s = FtProblem(16, 4096, 4).schedule("slabs"), np.zeros(1)
    both = Question(schedule, costs.with_faster_bytes(np.array([1.0, 4.0])), np.zeros(2))
    faster = Question(schedule, costs.with_byte_gap(np.array([2e-9])), work_s)
    result, here, there = evaluate([both, Question(schedule, costs, work_s), faster])
    assert result.total_s.tolist() == [here.total_s[0], there.total_s[0]]


@pytest.mark.parametrize(
    ("schedule", "what"),
    [
        (FtProblem(16, 4, 1).schedule("slabs"), "--ranks: 1 exchange nothing; give 2 or more"),
        (FT.schedule("waves"), "--schedules: unknown 'waves'; choose from exchange, slabs"),
    ],
)
def test_a_refusal_of_one_of_several_schedules_names_the_option(schedule: Schedule, what: str) -> None:
    """Of sizes that do not divide, `stretto predict` shows it."""
    with pytest.raises(UserError, match=what):
        shapes_of([FT.schedule("slabs"), schedule])
