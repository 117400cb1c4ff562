# SPDX-License-Identifier: BSD-3-Clause
"""The kernels' schedules send what the kernels send: counts as tests/mpi/nas_test.cpp has them, sizes by hand."""

import pytest

from stretto.errors import UserError
from stretto.model.kernels.cg import CgKernel
from stretto.model.kernels.ft import FtKernel
from stretto.model.kernels.mg import MgKernel
from stretto.model.kernels.products import ProductNeeds
from stretto.model.kernels.program import KernelVariant
from stretto.model.kernels.sizes import CG_SIZES, FT_SIZES, MG_SIZES
from stretto.model.schedule import Compute, Start


def sizes(variant: KernelVariant) -> set[int]:
    steps = [step for phase in variant.phases for step in phase.schedule.steps]
    return {step.size_bytes for step in steps if isinstance(step, Start)}


def test_ft_sends_the_messages_of_its_schedule() -> None:
    kernel = FtKernel(FT_SIZES["S"], 4)
    found = {(one.variant, one.transport): one for one in kernel.variants() if not one.settings}
    # 16 planes a rank leave once forward and six times back, each to three others
    assert found["slabs", "stretto"].messages == 7 * 16 * 3
    assert found["pencils", "stretto"].messages == 7 * 16 * 3 * 16
    assert found["packed-slabs", "stretto"].messages == found["alltoall", "mpi-two-sided"].messages == 7 * 3
    assert sizes(found["slabs", "stretto"]) == {16 * 64 * 16}
    assert sizes(found["pencils", "mpi-rma"]) == {64 * 16}
    assert sizes(found["alltoall", "mpi-two-sided"]) == {16 * 16 * 64 * 16}


def test_ft_sends_on_a_grid_what_a_row_and_a_column_of_it_need() -> None:
    kernel = FtKernel(FT_SIZES["W"], 64)  # 128 x 128 x 32: more ranks than planes
    found = {(one.variant, one.transport): one for one in kernel.variants()}
    assert {one.settings for one in found.values()} == {("grid=8x8",)}
    # 16 planes of y along a column to 7 others, 4 planes of z along a row to 7 others, seven times
    assert found["slabs", "mpi-two-sided"].messages == 7 * (16 * 7 + 4 * 7)
    assert found["pencils", "stretto"].messages == 7 * (16 * 4 * 7 + 4 * 7)
    assert found["packed-slabs", "stretto"].messages == found["alltoall", "mpi-two-sided"].messages == 7 * 35
    # In MPI's windows pencils of a plane are put line by line along a row, too: `run ft` of class S counts 57344 on 2x2.
    assert found["pencils", "mpi-rma"].messages == 7 * (16 * 4 * 7 + 16 * 4 * 7)
    assert sizes(found["pencils", "mpi-rma"]) == {16 * 16}
    on_four = FtKernel(FT_SIZES["S"], 4).grid
    assert on_four is not None and 4 * on_four.variant("pencils", "mpi-rma", 32).messages == 57344
    # 4 planes of z, 16 numbers of a row of x; and of a plane 16 x 16 numbers for each
    assert sizes(found["slabs", "mpi-two-sided"]) == {4 * 16 * 16, 16 * 16 * 16}
    assert not any(
        one.settings for one in FtKernel(FT_SIZES["S"], 3).variants() if one.variant == "chunks=12"
    )


@pytest.mark.parametrize("halo", [8, 4])
def test_mg_sends_the_messages_of_its_variant(halo: int) -> None:
    name = "nonblocking" if halo == 8 else "blocking"
    # Four cycles with one level that is cut: two halos, 3 to fold, 3 + 3 to gather.
    assert MgKernel(MG_SIZES["S"], 16).variant(name, "stretto").messages == 4 * (2 * halo + 3 + 3 + 3)


def test_mg_on_two_ranks_exchanges_along_z_only() -> None:
    assert MgKernel(MG_SIZES["S"], 2).variant("nonblocking", "stretto").messages == 4 * (2 * 2 + 1 + 1)
    # planes of 32 x 32 values; a coarse one of 16 x 16; half of a level of 16 points
    assert sizes(MgKernel(MG_SIZES["S"], 2).variant("blocking", "stretto")) == {8192, 2048, 16**3 * 8 // 2}


def test_cg_exchanges_pieces_in_its_grid() -> None:
    kernel = CgKernel(CG_SIZES["S"], 8)
    assert kernel.grid == (2, 4)
    product, total = kernel.variant("nonblocking", "stretto").phases
    assert (product.times, product.schedule.messages) == (15 * 26, 2 * (1 + 3)), "each is answered by a flag"
    assert kernel.variant("two-sided", "mpi-two-sided").phases[0].schedule.messages == 1 + 3
    assert kernel.variant("nonblocking", "stretto").messages == 15 * (26 + 54) * (1 + 3)
    assert (total.times, total.schedule.messages) == (15 * 54, 3 + 1)
    assert product.flops == 2 * 1400 * 7 * 8 / 8


@pytest.mark.parametrize("ranks", [2, 4, 8, 64])
def test_all_computation_of_a_phase_is_in_its_steps(ranks: int) -> None:
    needs = ProductNeeds(ranks, min(3.0, ranks - 1), 100.0, 1000, 1e6, 0.5)
    variants = [
        *FtKernel(FT_SIZES["W"], ranks).variants(),
        *MgKernel(MG_SIZES["W"], ranks).variants(),
        *CgKernel(CG_SIZES["W"], ranks).variants(),
        *needs.variants(),
    ]
    for variant in variants:
        for phase in variant.phases:
            shares = [step.parts for step in phase.schedule.steps if isinstance(step, Compute)]
            assert sum(shares) == pytest.approx(1 if phase.flops > 0 else sum(shares))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: FtKernel(FT_SIZES["W"], 1), "-n 1: the model of ft knows 2 ranks and more"),
        (lambda: FtKernel(FT_SIZES["S"], 8192), "-n 8192: no grid leaves each rank a part"),
        (lambda: MgKernel(MG_SIZES["S"], 6), "-n 6: mg takes a power of two"),
        (lambda: CgKernel(CG_SIZES["S"], 1), "-n 1: the model of cg knows 2 ranks"),
    ],
)
def test_what_the_model_does_not_know_is_said(make, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UserError, match=said):
        make()
