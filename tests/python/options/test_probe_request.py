# SPDX-License-Identifier: BSD-3-Clause
"""The native request of `stretto probe`, and refusals before the start."""

from typing import Any

import pytest

from stretto.errors import UserError
from stretto.launch.probing import request_members
from stretto.launch.substrate import Substrate
from stretto.options.declare import read
from stretto.options.probe import ProbeRequest


def members(**given: Any) -> dict[str, Any]:
    """The request for the native program; `given` has texts of a command line, by field."""
    request = read(ProbeRequest, given)
    return request_members(request, Substrate.of(request))


def test_all_probes_run_on_request() -> None:
    assert tuple(members(everything=True)["probes"]) == (
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
    assert members(names=["loggp", "latency", "loggp"])["probes"] == ("loggp", "latency")


def test_choices_reach_the_native_program_as_it_reads_them() -> None:
    result = members(
        names=["overlap"],
        sizes="64KiB:1MiB",
        transport="mpi-rma, mpi-two-sided",
        ratio="1,0.5,1",
        check_data=True,
    )
    assert result["probes"] == ("overlap",)
    assert result["sizes_bytes"] == (65536, 1048576)
    assert result["transports"] == ("mpi-rma", "mpi-two-sided")
    assert result["ratios"] == (1.0, 0.5)
    assert result["check"] is True
    assert result["command"][:3] == ("stretto", "probe", "overlap")


def test_without_a_name_one_question_is_asked() -> None:
    found = members()
    plain, polled, *context = found["parts"]
    assert plain["probes"] == polled["probes"] == ["overlap"]
    assert plain["transports"] == polled["transports"] == ["mpi-two-sided"]
    assert (plain["progress"], polled["progress"]) == (["none"], ["poll"])
    assert plain["directions"] == polled["directions"] == ["both-ways"] and plain["ratios"] == [1.0]
    assert [part["probes"] for part in context] == [["latency"], ["bandwidth"], ["loggp"]]
    assert (found["max_error"], found["max_noise"]) == (0.03, 0.1)
    assert found["visits"] == 2 and found["budget_s"] == 20
    assert members(max_noise="0.05")["max_error"] == members(max_noise="0.05")["max_noise"] == 0.05
    assert members(sizes="8:64KiB")["parts"][0]["sizes_bytes"] == (8, 65536)
    assert "parts" not in members(names=["overlap"]) and "parts" not in members(everything=True)


def test_options_name_the_alternative() -> None:
    stretto = members(transport="stretto", progress="thread", operation="put")["parts"][1]
    assert (stretto["transports"], stretto["progress"], stretto["operations"]) == (
        ["stretto"],
        ["thread"],
        ["put"],
    )
    assert members(progress="thread")["parts"][1]["transports"] == ["stretto"]
    assert members(transport="mpi-rma")["parts"][1]["progress"] == ["poll"]
    assert members(transport="mpi-rma")["parts"][0]["transports"] == ["mpi-two-sided"]


def test_a_simulation_is_repeated_a_few_times_and_a_machine_as_long_as_it_needs() -> None:
    simulated = members(on="simulated", platform="jacquard")
    assert (simulated["rounds"], simulated["warm_ups"]) == (3, 0)
    assert members(on="simulated", platform="jacquard", budget="5")["rounds"] is None
    assert (members(everything=True)["budget_s"], members()["rounds"]) == (60, None)
    assert members(names=["overlap"], on="emulated")["budget_s"] == 240
    assert members(budget="5")["budget_s"] == members(budget="5s")["budget_s"] == 5
    assert members(budget="2500ms")["budget_s"] == 2.5


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"on": "simulated", "platform": "jacquard"}, "threads of their own"),
        ({"transport": "mpi-rma"}, "only transport stretto"),
    ],
)
def test_a_progress_thread_that_cannot_be_is_refused_with_the_reason(given: Any, reason: str) -> None:
    with pytest.raises(UserError, match=f"--progress thread: .*{reason}"):
        members(progress="none,thread", **given)


def test_a_progress_thread_is_requested_by_name() -> None:
    assert members(names=["overlap"], progress="thread")["progress"] == ("thread",)
    assert members(names=["overlap"], progress="thread", on="emulated")["progress"] == ("thread",)


def test_the_substrate_is_named_in_the_header() -> None:
    assert members(on="emulated", rate="1gbit")["network"] == "htb 1gbit"
    assert members(on="simulated", platform="clic")["network"] == "clic"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"names": ["nosuch"]}, "nosuch"),
        ({"on": "moon"}, "--on"),
        ({"ranks": "1"}, "-n 1"),
        ({"ranks": "-3"}, "-n -3"),
        ({"on": "emulated", "ranks": "3"}, "ranks"),
        ({"on": "emulated", "hosts": "5"}, "--hosts 5"),
        ({"on": "emulated", "rate": "fast"}, "--rate fast"),
        ({"hosts": "2"}, "--hosts"),
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
        ({"progress": "sometimes"}, "--progress"),
        ({"path": "indirect"}, "--path"),
        ({"poll_interval": "2"}, "--poll-interval 2: give seconds"),
        ({"segment": "1"}, "--segment"),
        ({"segment": "1TiB"}, "--segment"),
        ({"operation": ""}, "--operation"),
        ({"side": "left"}, "--side"),
        ({"ratio": "0"}, "--ratio"),
        ({"ratio": "1,x"}, "--ratio"),
        ({"ratio": "nan"}, "--ratio"),
        ({"max_noise": "0"}, "--max-noise"),
        ({"max_noise": "nan"}, "--max-noise"),
        ({"budget": "-1"}, "--budget"),
        ({"budget": "inf"}, "--budget"),
        ({"rounds": "0"}, "--rounds"),
        ({"timeout": "0"}, "--timeout"),
        ({"seed": "-1"}, "--seed"),
        ({"names": ["overlap"], "everything": True}, "--all: means all probes"),
        ({"ratio": "1"}, "--ratio: is for the probe overlap; name it, or add --all"),
        ({"side": "both"}, "--side: is for the probe overlap"),
        ({"rows": "4"}, "--rows is for the probe ft: name it"),
        (
            {"on": "emulated", "hostfile": "nodes"},
            "--hostfile is for --on local, not for",
        ),
        ({"names": ["ft"], "members": "2"}, "--members is for the probes collective and nbc"),
        ({"names": ["collective"], "members": "1"}, "--members 1: write whole numbers from 2 on"),
        ({"names": ["collective"], "grids": "2y3"}, "--grid: '2y3' is none of flat, all, P1xP2"),
        ({"names": ["collective"], "root": "-1"}, "--root -1: give a rank"),
    ],
)
def test_invalid_input_is_named_in_one_line(given: dict[str, Any], names: str) -> None:
    with pytest.raises(UserError) as caught:
        members(**given)
    assert names in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("unit", ["s", ""])
def test_seconds_may_go_without_their_unit(unit: str) -> None:
    assert read(ProbeRequest, {"timeout": f"30{unit}"}).timeout == 30
    assert read(ProbeRequest, {"poll_interval": f"0.001{unit}"}).poll_interval == 1e-3


def test_a_simulated_ft_of_its_own_size_is_half_as_large() -> None:
    simulated = {"names": ["ft"], "on": "simulated", "platform": "jacquard", "ranks": "16"}
    assert members(**simulated)["rows"] == (256,)
    assert members(**simulated | {"rows": "64"})["rows"] == (64,)
    for other in ({"sweep": "scale"}, {"row_length": "512"}, {"ranks": "3"}, {"names": ["ft", "spmv"]}):
        assert not members(**simulated | other).get("rows"), other
    assert not members(names=["ft"]).get("rows")
