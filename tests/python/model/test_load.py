# SPDX-License-Identifier: BSD-3-Clause
"""A machine is busy when others take cores that the ranks need, or the hypervisor withholds them."""

import pytest

from stretto.data.loads import Load
from stretto.model.load import busiest, is_busy, load_sentence, missing_cores


def load(others: float, stolen: float = 0.0, cores: int = 2, ranks: int = 2, host: str = "node-a") -> Load:
    return Load(host, "during", 10.0, cores, ranks, others, stolen, 0.0, 0)


@pytest.mark.parametrize(
    ("one", "busy"),
    [
        (load(0.0), False),
        (load(0.25), False),
        (load(0.26), True),
        (load(0.0, 0.10), False),
        (load(0.0, 0.11), True),
        (load(62.0, cores=64), False),
        (load(62.3, cores=64), True),
        (load(0.3, cores=2, ranks=4), True),
    ],
)
def test_cores_that_nobody_needs_may_be_used(one: Load, busy: bool) -> None:
    assert is_busy(one) == busy
    assert bool(load_sentence(one)) == busy


def test_the_sentence_says_who_takes_how_much() -> None:
    assert load_sentence(load(1.93)) == "the machine is busy: other programs take 1.9 of 2 cores"
    assert load_sentence(load(0.0, 0.5)) == "the machine is busy: the hypervisor takes 0.5 of 2 cores"
    both = load_sentence(load(1.0, 0.5))
    assert both == "the machine is busy: other programs take 1.0 and the hypervisor 0.5 of 2 cores"
    assert load_sentence(None) == ""


def test_the_busiest_host_is_where_the_ranks_lack_most() -> None:
    quiet, some, most = load(0.0), load(1.0), load(63.5, cores=64, host="b")
    assert missing_cores(most) == 1.5
    assert busiest([quiet, some, most]) == most
    assert busiest([quiet]) is None
