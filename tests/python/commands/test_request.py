# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto probe` hands to the native program, and what it refuses before anything is started."""

from __future__ import annotations

from typing import Any

import pytest

from stretto.commands.request import Request
from stretto.errors import UserError

NOTHING: dict[str, Any] = {
    "names": None,
    "ranks": 2,
    "on": "local",
    "hosts": None,
    "rate": None,
    "platform": None,
    "sizes": None,
    "transport": None,
    "progress": None,
    "path": None,
    "pace": None,
    "segment": None,
    "operation": None,
    "side": None,
    "ratio": None,
    "max_noise": 0.05,
    "budget": None,
    "rounds": None,
    "timeout": None,
    "seed": 1,
    "check": False,
    "mpi": None,
}


def request(**given: Any) -> Request:
    return Request.checked(**{**NOTHING, **given})


def following(arguments: tuple[str, ...], option: str) -> str:
    return arguments[arguments.index(option) + 1]


def test_all_probes_are_run_when_none_is_named() -> None:
    assert request().names == (
        "latency",
        "bandwidth",
        "loggp",
        "overlap",
        "aggregation",
        "contention",
        "ft",
        "spmv",
        "collective",
    )
    assert request(names=["loggp", "latency", "loggp"]).names == ("loggp", "latency")


def test_choices_reach_the_native_program_as_it_reads_them() -> None:
    arguments = request(
        names=["overlap"], sizes="64KiB:1MiB", transport="mpi-rma, mpi-two-sided", ratio="1,0.5,1", check=True
    ).arguments
    assert arguments[0] == "overlap"
    assert following(arguments, "--sizes") == "65536:1048576"
    assert following(arguments, "--transport") == "mpi-rma,mpi-two-sided"
    assert following(arguments, "--ratio") == "1,0.5"
    assert "--check" in arguments


def test_a_simulation_is_repeated_a_few_times_and_a_machine_as_long_as_it_needs() -> None:
    simulated = request(on="simulated", platform="jacquard")
    assert following(simulated.arguments, "--rounds") == "3"
    assert "--budget" not in simulated.arguments
    assert following(request().arguments, "--budget") == "60"
    assert following(request(on="emulated").arguments, "--budget") == "240"
    assert following(request(budget=5.0).arguments, "--budget") == "5"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"on": "simulated", "platform": "jacquard"}, "threads of their own"),
        ({"transport": "mpi-rma"}, "only transport stretto"),
    ],
)
def test_a_helper_thread_that_cannot_be_is_refused_with_the_reason(given: Any, reason: str) -> None:
    with pytest.raises(UserError, match=f"--progress thread: .*{reason}"):
        request(progress="none,thread", **given)


def test_a_helper_thread_is_asked_for_by_name() -> None:
    assert following(request(progress="thread").arguments, "--progress") == "thread"
    assert following(request(progress="thread", on="emulated").arguments, "--progress") == "thread"


def test_the_substrate_is_named_in_the_header() -> None:
    assert following(request(on="emulated", rate="1gbit").arguments, "--network") == "htb 1gbit"
    assert following(request(on="simulated", platform="clic").arguments, "--network") == "clic"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"names": ["nosuch"]}, "nosuch"),
        ({"on": "moon"}, "--on"),
        ({"ranks": 1}, "-n 1"),
        ({"ranks": -3}, "-n -3"),
        ({"on": "emulated", "ranks": 3}, "ranks"),
        ({"on": "emulated", "hosts": 5}, "--hosts 5"),
        ({"on": "emulated", "rate": "fast"}, "--rate fast"),
        ({"hosts": 2}, "--hosts"),
        ({"rate": "1gbit"}, "--rate"),
        ({"platform": "jacquard"}, "--platform"),
        ({"on": "simulated"}, "--platform"),
        ({"on": "simulated", "platform": "nosuch"}, "nosuch"),
        ({"on": "simulated", "platform": "/nonexistent/machine.xml"}, "/nonexistent/machine.xml"),
        ({"sizes": "1MiB:8"}, "--sizes"),
        ({"sizes": "8"}, "--sizes"),
        ({"sizes": "0:8"}, "--sizes"),
        ({"sizes": "8:1GiB"}, "--sizes"),
        ({"sizes": "a:b"}, "--sizes"),
        ({"transport": "carrier-pigeon"}, "--transport"),
        ({"progress": "helper"}, "--progress"),
        ({"path": "indirect"}, "--path"),
        ({"pace": 2.0}, "--pace"),
        ({"segment": "1"}, "--segment"),
        ({"segment": "1TiB"}, "--segment"),
        ({"operation": ""}, "--operation"),
        ({"side": "left"}, "--side"),
        ({"ratio": "0"}, "--ratio"),
        ({"ratio": "1,x"}, "--ratio"),
        ({"ratio": "nan"}, "--ratio"),
        ({"max_noise": 0.0}, "--max-noise"),
        ({"max_noise": float("nan")}, "--max-noise"),
        ({"budget": -1.0}, "--budget"),
        ({"budget": float("inf")}, "--budget"),
        ({"rounds": 0}, "--rounds"),
        ({"timeout": 0.0}, "--timeout"),
        ({"seed": -1}, "--seed"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(given: dict[str, Any], names: str) -> None:
    with pytest.raises(UserError) as caught:
        request(**given)
    assert names in str(caught.value)
    assert "\n" not in str(caught.value)
