# SPDX-License-Identifier: BSD-3-Clause
"""Call sites of one function are one entry per call, and nothing is lost."""

from dataclasses import replace

import pytest

from stretto.potential.data_work import DataWork
from stretto.potential.grouping import by_function, by_name, function_of, places_of
from stretto.potential.ordering import before_sends_together
from stretto.potential.sites import SitePotential


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("step halo.c:60", "step"),
        ("Comm::forward <- Verlet::run (liblammps.so.0)", "Comm::forward"),
        ("Comm::forward (liblammps.so.0)", "Comm::forward"),
        ("operator() app.cpp:3", "operator()"),
        ("app+0x1234", "app+0x1234"),
    ],
)
def test_the_function_is_what_stands_first(name: str, function: str) -> None:
    assert function_of(name) == function


def site(address: int, call: str, cost_s: float) -> SitePotential:
    work = DataWork(messages=2, independent_s=cost_s, orders={"in order": 2})
    return SitePotential(
        "app",
        address,
        call,
        "send",
        count=1,
        cost_s=cost_s,
        blocked_s=1.0,
        data=work,
        reordered=DataWork(messages=2, independent_s=2 * cost_s),
    )


def test_the_sums_are_those_of_the_sites() -> None:
    sites = [
        site(1, "MPI_Isend", 1.0),
        site(2, "MPI_Isend", 4.0),
        site(3, "MPI_Send", 2.0),
        site(4, "MPI_Send", 3.0),
    ]
    names = {("app", 1): "a x.c:1", ("app", 2): "a x.c:2", ("app", 3): "a x.c:3", ("app", 4): "b x.c:9"}
    found, named = by_function(sites, names)
    assert [(named[one.module, one.address], one.call, one.cost_s) for one in found] == [
        ("a", "MPI_Isend", 5.0), ("b", "MPI_Send", 3.0), ("a", "MPI_Send", 2.0),
    ]  # fmt: skip
    assert (found[0].count, found[0].data.messages, found[0].data.orders) == (2, 4, {"in order": 4})
    assert (found[0].data.independent_s, found[0].reordered.independent_s) == (5.0, 10.0)
    assert sites[0].count == 1 and sites[0].data.messages == 2  # what was given stays as it is


def test_a_variable_that_lies_elsewhere_on_another_rank_is_one_entry() -> None:
    names = {("app", 1): "field", ("app", 2): "field"}
    (found,), _ = by_name([site(1, "MPI_Isend", 1.0), site(2, "MPI_Isend", 2.0)], names)
    assert (found.cost_s, found.count) == (3.0, 2)


def test_work_before_the_sends_of_a_function_is_that_of_its_call_sites() -> None:
    """Else copies into what is sent would count as time by which the send could start earlier."""
    sites = [site(1, "MPI_Isend", 1.0), site(2, "MPI_Isend", 4.0), site(3, "MPI_Send", 2.0)]
    names = {("app", 1): "a x.c:1", ("app", 2): "a x.c:2", ("app", 3): "b x.c:3"}
    entries, named = by_function(sites, names)
    of = places_of(entries, sites, named)
    assert of == {("app", 1): {("app", 1), ("app", 2)}, ("app", 3): {("app", 3)}}
    before_s = {("app", 1): 0.5, ("app", 2): 0.25}
    assert before_sends_together(before_s, of) == {("app", 1): 0.75, ("app", 3): 0.0}
    assert before_sends_together(None, of) is None


def test_without_a_network_the_entries_that_blocked_longest_are_first() -> None:
    sites = [site(1, "MPI_Barrier", 0.0), replace(site(2, "MPI_Send", 0.0), blocked_s=2.0)]
    found, _ = by_function(sites, {("app", 1): "a x.c:1", ("app", 2): "b x.c:2"})
    assert [one.call for one in found] == ["MPI_Send", "MPI_Barrier"]
