# SPDX-License-Identifier: BSD-3-Clause
"""Shares that no paper publishes: eta of a machine, and what its fabric carries."""

import pytest
from processes import has_program, needs_built

from validation.papers import one_sided_tests, overlap_potential
from validation.papers.kernel_machine import KernelMachine
from validation.papers.world import World

needs_replay = needs_built(has_program("stretto-replay", "none"), "STRETTO-REPLAY")


@needs_replay
def test_a_get_overlaps_by_the_share_of_the_machine() -> None:
    def direct(eta: float) -> float:
        return one_sided_tests.overlap(World().with_value("fsn.overlap", eta)).values["direct"]

    assert direct(1.0) == pytest.approx(1.0, abs=0.01)
    assert direct(0.5) == pytest.approx(0.5, abs=0.01)
    assert direct(1e-6) == pytest.approx(direct(0.0), abs=0.002), "no jump at eta = 0"
    assert direct(0.0) == one_sided_tests.overlap(World(overlaps=False)).values["direct"]


@needs_replay
def test_without_overlap_the_slides_applications_need_what_they_need_plainly() -> None:
    def lower(world: World) -> float:
        return overlap_potential.hycom_bandwidth(world).values["lower"]

    assert lower(World(overlaps=False)) == 1.0
    half = lower(World().with_value("slides.overlap", 0.5))
    assert lower(World()) < half < 1.0


def test_the_share_of_a_fabric_is_that_of_the_world_with_half_of_all() -> None:
    half = World().with_value("fsn.fabric_share", 0.5)
    assert half.changes("fsn") == World(fabric_share=0.5).changes("fsn")
    assert half.changes("thunder") == ()
    whole, shared = (KernelMachine.named("thunder", 64, one, "fft_efficiency").byte_gap_s
                     for one in (World(), World().with_value("thunder.fabric_share", 0.5)))  # fmt: skip
    assert shared > whole
