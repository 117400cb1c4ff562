# SPDX-License-Identifier: BSD-3-Clause
"""The chosen variant overlaps where that gains, and is at most 3 % slower than one without overlap."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, OverlapEntry, Profile
from stretto.errors import UserError
from stretto.model.kernels.choice import Choice, choose, variants_s
from stretto.model.kernels.variants import Kernel, KernelVariant, NasClass, ProductNeeds
from stretto.model.parameters import Source

KERNELS = {
    "ft": Kernel(NasClass("ft", "S"), 4),
    "mg": Kernel(NasClass("mg", "S"), 4),
    "cg": Kernel(NasClass("cg", "W"), 4),
}
PATHS = (("stretto", "put"), ("stretto", "get"), ("mpi-two-sided", "send"), ("mpi-rma", "put"))


def source(
    eta: float | None = None, o: float = 1e-6, G: float = 1e-8, L: float = 5e-6, **other: float
) -> Source:
    """A machine whose paths are alike, or with a latency of its own: stretto=..., mpi_rma=..."""
    entries, overlaps = [], []
    for transport, operation in PATHS:
        latency = Figure(other.get(transport.replace("-", "_"), L))
        fitted = LogGPRange(0, 1 << 30, latency, Figure(o), gap_s_per_byte=Figure(G))
        entries.append(LogGPEntry(transport, operation, "remote", "spaced-trains", (fitted,)))
        if eta is not None:
            overlaps.append(
                OverlapEntry(
                    transport, operation, "remote", "none", "both", "both-ways", 65536, 1.0, Figure(eta)
                )
            )
    return Source(Profile(tuple(entries), overlap=tuple(overlaps)), "profile.json", draws=5)


def chosen(name: str, machine: Source, flop_s: float | None) -> Choice:
    rate = None if flop_s is None else np.full(machine.draws, flop_s)
    return choose(name, machine, KERNELS[name].variants(), rate)


@pytest.mark.parametrize("name", KERNELS)
def test_with_offload_the_overlapped_variant_is_taken_and_gains(name: str) -> None:
    result = chosen(name, source(eta=1.0), 1e-9)
    assert result.chosen.overlapped and result.plain_s is not None
    assert float(result.advice.leading.time_s[0]) < 0.98 * result.plain_s


@pytest.mark.parametrize("name", ["ft", "mg"])
def test_without_overlap_the_plainest_variant_is_taken(name: str) -> None:
    # Nothing hides, and more messages cost more: pieces lose, and the first of equals is what everybody has.
    result = chosen(name, source(eta=0.0, o=2e-4), 1e-9)
    plainest = KERNELS[name].variants()[0]
    assert (result.chosen.variant, result.chosen.transport) == (plainest.variant, "mpi-two-sided")


def test_more_ranks_than_planes_are_put_on_a_grid() -> None:
    machine = source(eta=1.0, o=1e-7)
    result = choose("ft", machine, Kernel(NasClass("ft", "W"), 64).variants(), np.full(machine.draws, 1e-9))
    assert result.chosen.settings == ("grid=8x8",) and result.chosen.overlapped
    assert {one.choice["grid"] for one in result.advice.candidates} == {"8x8"}
    # Where there are planes for all, slabs send half as much.
    result = choose("ft", machine, Kernel(NasClass("ft", "W"), 16).variants(), np.full(machine.draws, 1e-9))
    assert result.chosen.settings == () and {"grid" in one.choice for one in result.advice.candidates} == {
        True,
        False,
    }


def test_a_transport_with_less_latency_is_taken() -> None:
    result = chosen("cg", source(eta=0.0, L=1e-3, stretto=1e-5), 1e-9)
    assert result.chosen.transport == "stretto"


def test_only_what_the_profile_knows_is_taken() -> None:
    whole = source(eta=1.0)
    sends = tuple(entry for entry in whole.profile.loggp if entry.operation == "send")
    result = chosen("mg", Source(Profile(sends), "profile.json", draws=5), 1e-9)
    assert result.chosen.transport == "mpi-two-sided"
    with pytest.raises(UserError, match=r"empty.json: has no LogGP parameters of mpi-two-sided"):
        chosen("mg", Source(Profile(()), "empty.json"), 1e-9)


def test_a_transport_with_an_unresolved_parameter_is_not_taken() -> None:
    whole = source(eta=1.0, L=1e-3, mpi_rma=1e-6)
    entries = [
        replace(entry, ranges=(replace(entry.ranges[0], gap_s_per_byte=Figure(None)),))
        if entry.transport == "mpi-rma"
        else entry
        for entry in whole.profile.loggp
    ]
    assert chosen("mg", whole, 1e-9).chosen.transport == "mpi-rma"
    result = chosen("mg", Source(Profile(tuple(entries)), "profile.json", draws=5), 1e-9)
    assert result.chosen.transport != "mpi-rma"


@settings(max_examples=15, deadline=None)
@given(
    name=st.sampled_from(["mg", "cg"]),
    eta=st.floats(0, 1),
    o=st.floats(1e-7, 1e-3),
    G=st.floats(1e-11, 1e-7),
    rma=st.floats(1e-6, 1e-2),
    flop_s=st.one_of(st.none(), st.floats(1e-11, 1e-7)),
)
def test_no_choice_is_3_percent_slower_than_the_best_without_overlap(
    name: str, eta: float, o: float, G: float, rma: float, flop_s: float | None
) -> None:
    machine = source(eta=eta, o=o, G=G, mpi_rma=rma)
    result = chosen(name, machine, flop_s)
    assert result.plain_s is not None
    assert float(result.advice.leading.time_s[0]) <= 1.03 * result.plain_s
    if flop_s is None:  # and not where there is nothing to hide under either
        nothing = np.zeros(machine.draws)
        plain = [one for one in KERNELS[name].variants() if not one.overlapped]
        *plain_s, chosen_s = variants_s(machine, [*plain, result.chosen], nothing)
        assert float(chosen_s[0]) <= 1.03 * min(float(time_s[0]) for time_s in plain_s)


def product(machine: Source, **needs: float) -> KernelVariant:
    sizes = {
        "sources": 3.0,
        "elements": 2000.0,
        "block_elements": 10000,
        "flops": 1e6,
        "own_share": 0.7,
        **needs,
    }
    variants = Kernel(ProductNeeds(**sizes), 4).variants()  # type: ignore[arg-type]
    return choose("spmv", machine, variants, np.full(machine.draws, 1e-9)).chosen


def test_a_product_with_expensive_puts_fetches() -> None:
    assert product(source(eta=1.0)).variant == "signalled"
    entries = tuple(e for e in source(eta=1.0).profile.loggp if e.operation == "get")
    assert product(Source(Profile(entries), "gets.json", draws=5)).variant == "vector"


def test_whole_blocks_are_fetched_only_where_nearly_all_is_needed() -> None:
    entries = tuple(e for e in source(eta=1.0).profile.loggp if e.operation == "get")
    gets = Source(Profile(entries), "gets.json", draws=5)
    few = product(gets, elements=20.0)
    assert few.variant == "vector" and few.settings == ()
