# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of an emulated network; tests/system/test_emulated.py tests the network."""

from pathlib import Path

import pytest

from stretto.errors import RunError, UserError
from stretto.launch import cluster, linux
from stretto.launch.cluster import Cluster, EmulatedNetwork, emulated_cluster
from stretto.launch.session import Ended


@pytest.mark.parametrize(
    ("rate", "bits_per_s"), [("500mbit", 500e6), ("1gbit", 1e9), ("1.5Gbit", 1.5e9), ("20000kbit", 20e6)]
)
def test_rates_are_powers_of_ten_as_tc_has_them(rate: str, bits_per_s: float) -> None:
    assert EmulatedNetwork(rate=rate).rate_bits_per_s == bits_per_s


@pytest.mark.parametrize(("rate", "burst_bytes"), [("1gbit", 8000), ("500mbit", 4000), ("10mbit", 2048)])
def test_a_link_makes_up_for_a_late_timer_and_no_more(rate: str, burst_bytes: int) -> None:
    assert EmulatedNetwork(rate=rate).burst_bytes == burst_bytes


@pytest.mark.parametrize(
    "rate", ["", "500", "fast", "-500mbit", "500 mbit", "500mbps", "nanmbit", "1mbit", "11gbit"]
)
def test_a_bad_rate_names_the_option(rate: str) -> None:
    with pytest.raises(UserError, match=f"^--rate {rate}: "):
        EmulatedNetwork(rate=rate)


@pytest.mark.parametrize("hosts", [-1, 0, 1, 5])
def test_a_bad_number_of_hosts_names_the_option(hosts: int) -> None:
    with pytest.raises(UserError, match=f"^--hosts {hosts}: an emulated cluster has 2 to 4 hosts"):
        EmulatedNetwork(hosts=hosts)


def test_more_ranks_than_hosts_are_refused_with_the_correction() -> None:
    EmulatedNetwork(hosts=3).check_ranks(3)
    with pytest.raises(
        UserError, match=r"more ranks \(4\) than emulated hosts \(3\): give .* or up to --hosts 4"
    ):
        EmulatedNetwork(hosts=3).check_ranks(4)
    with pytest.raises(
        UserError, match=r"more ranks \(5\) than emulated hosts \(4\): give at most -n 4, or .* 2$"
    ):
        EmulatedNetwork(hosts=4).check_ranks(5)
    EmulatedNetwork(4, ranks_per_host=2).check_ranks(8)
    with pytest.raises(UserError, match=r"--ranks-per-node 2: 4 ranks on --hosts 4 are 1 .* -n 8$"):
        EmulatedNetwork(4, ranks_per_host=2).check_ranks(4)


def test_without_the_right_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux, "may_make_namespaces", lambda: False)
    monkeypatch.setattr(cluster, "Session", None)  # would fail if it were entered
    with (
        pytest.raises(UserError, match=r"--on emulated: .*root, or CAP_SYS_ADMIN"),
        emulated_cluster(EmulatedNetwork()),
    ):
        pass


class _Stuck:
    """A session in which no command ends."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def query(self, *_request: object) -> dict[str, int]:
        return {"pid": 1}

    def run(self, _argv: object, **_options: object) -> Ended:
        return Ended(status=-15, timed_out=True, stdout="", stderr="", seconds=60.0)


def test_a_command_that_does_not_end_is_said_to(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"could not be made: ip link set lo up: no end after 60 s; try again"):
        Cluster(EmulatedNetwork(), _Stuck(tmp_path))  # type: ignore[arg-type]
