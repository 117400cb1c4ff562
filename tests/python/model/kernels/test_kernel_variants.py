# SPDX-License-Identifier: BSD-3-Clause
"""Kernels in requests to `stretto-model`: their variants, and refusals that name the number of ranks."""

import pytest

from stretto.errors import UserError
from stretto.model.kernels.variants import Kernel, NasClass


def test_variants_come_the_simplest_first_with_what_they_send() -> None:
    first, *others = Kernel(NasClass("ft", "S"), 4).variants()
    assert (first.variant, first.transport, first.operation) == ("alltoall", "mpi-two-sided", "send")
    assert not first.overlapped and others[-1].overlapped and others[-1].settings == ("grid=2x2",)
    assert first.messages == 7 * 3 and first.phases[-1].sizes_bytes == (16 * 16 * 64 * 16,)


def test_a_variant_by_name_is_one_of_all() -> None:
    kernel = Kernel(NasClass("cg", "S"), 8)
    assert kernel.variant("nonblocking", "stretto") in kernel.variants()
    product, total = kernel.variant("nonblocking", "stretto").phases
    assert (product.times, product.messages, total.times, total.messages) == (15 * 26, 4, 15 * 54, 4)


@pytest.mark.parametrize(
    ("kernel", "what"),
    [
        (Kernel(NasClass("ft", "W"), 1), "-n 1: the model of ft knows 2 ranks and more"),
        (Kernel(NasClass("ft", "S"), 8192), "-n 8192: no grid leaves each rank a part"),
        (Kernel(NasClass("mg", "S"), 6), "-n 6: mg takes a power of two"),
        (Kernel(NasClass("cg", "S"), 1), "-n 1: the model of cg knows 2 ranks"),
    ],
)
def test_ranks_that_the_model_does_not_know_are_refused(kernel: Kernel, what: str) -> None:
    with pytest.raises(UserError, match=what):
        kernel.variants()


def test_a_class_has_the_sizes_that_nas_publishes() -> None:
    assert Kernel(NasClass("ft", "W"), 4).class_sizes() == {"nx": 128, "ny": 128, "nz": 32, "iterations": 6}
    assert Kernel(NasClass("mg", "B"), 4).class_sizes() == {"points": 256, "iterations": 20}
    assert Kernel(NasClass("cg", "D"), 4).class_sizes()["rows"] == 1_500_000
