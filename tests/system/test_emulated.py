# SPDX-License-Identifier: BSD-3-Clause
"""The emulated cluster for MPI: separate hosts, a shaped link between them, and a complete clean-up."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import completed
from runs import MPIS, PACKAGE_ROOT, Run, eventually, mpi_code, needs_namespaces, running

from stretto.errors import RunError, UserError
from stretto.launch import selftest
from stretto.launch.cluster import Cluster, EmulatedNetwork, emulated_cluster
from stretto.launch.emulated import run_emulated
from stretto.launch.job import Job
from stretto.launch.mpi import MpiLibrary
from stretto.launch.probing import probe_arguments
from stretto.native.programs import native_program

SHELL = Path("/bin/sh")
STREAM_BYTES = 15_000_000  # more than half a second: two streams overlap, though one starts first


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with emulated_cluster(EmulatedNetwork(hosts=3, rate="200mbit")) as made:
        yield made


@pytest.fixture(scope="module")
def netload() -> str:
    try:
        return str(native_program("stretto-netload", "none"))
    except UserError as error:
        pytest.skip(f"NOT BUILT, the shaping is not tested: {error}")


@needs_namespaces
@pytest.mark.parametrize("mpi", MPIS)
def test_every_rank_has_a_separate_host(mpi: MpiLibrary, cluster: Cluster) -> None:
    show = "cat /proc/sys/kernel/hostname; ls /sys/class/net; echo $WHO"
    ended = cluster.run(mpi, Job(SHELL, ("-c", show), 3, {"WHO": "ranks"}))
    assert ended.status == 0, ended.stderr
    words = ended.stdout.split()
    assert sorted(word for word in words if word.startswith("emulated")) == list(cluster.hosts)
    assert {name: words.count(name) for name in ("lo", "eth0", "ranks")} == {"lo": 3, "eth0": 3, "ranks": 3}


@needs_namespaces
def test_a_host_has_the_tcp_of_a_cluster_whatever_the_machine_has(cluster: Cluster) -> None:
    """TCP that delays each segment by a timer would take as much processor time as the network does."""
    show = ("/bin/sh", "-c", "cd /proc/sys/net/ipv4; cat tcp_congestion_control tcp_slow_start_after_idle")
    for host in range(len(cluster.hosts)):
        assert cluster.session.run(show, on_host=host, timeout_s=10.0).stdout.split() == ["reno", "0"]


@pytest.mark.slow
@needs_namespaces
@pytest.mark.alone  # no sample counts whose ranks start late
@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("transport", ["mpi-two-sided", "mpi-rma"])
def test_mpi_moves_its_data_over_the_shaped_link(
    mpi: MpiLibrary, transport: str, cluster: Cluster, tmp_path: Path
) -> None:
    """Through shared memory it would be twenty times as fast as the link; nothing slows it to a false success."""
    try:
        probe = native_program("stretto-probe", mpi.family, mpi.mpiexec)
    except UserError as error:
        pytest.skip(f"NOT BUILT for {mpi.family} {mpi.version}: {error}")
    samples = tmp_path / "samples.jsonl"
    words = f"bandwidth --transport {transport} --sizes 16KiB:16KiB --rounds 5 --check"
    ended = cluster.run(mpi, Job(probe, probe_arguments(words.split(), samples), 2, timeout_s=100))
    assert ended.status == 0, ended.stderr
    rows = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    assert rows[0]["locality"] == "remote"
    assert rows[0]["hosts"] == ["emulated-0", "emulated-1"]
    timed = [
        row for row in rows if row["row"] in ("sample", "disturbed")
    ]  # a disturbed stream is only slower
    streamed = [row for row in timed if row["direction"] == "one-way"]
    assert streamed
    for row in streamed:
        assert row["messages"] * row["size_bytes"] * 8 / row["time_s"] < 1.05 * 200e6
    assert all(row["wrong"] == 0 for row in rows if row["row"] == "checked")


@needs_namespaces
@pytest.mark.alone  # other load would slow transfers that are too fast
@pytest.mark.parametrize(("senders", "receivers"), [((0, 1), (2, 2)), ((0, 0), (1, 2))])
def test_a_host_neither_sends_nor_receives_faster_than_the_rate(
    senders: tuple[int, ...], receivers: tuple[int, ...], cluster: Cluster, netload: str
) -> None:
    for _ in range(5):
        first, second = streams_at_once(cluster, netload, senders, receivers)
        if max(first["first_arrival_s"], second["first_arrival_s"]) < min(
            first["last_end_s"], second["last_end_s"]
        ):
            break
    else:
        pytest.fail("of five pairs of streams none overlapped in time")
    begin_s = min(first["first_arrival_s"], second["first_arrival_s"])
    end_s = max(first["last_end_s"], second["last_end_s"])
    # They arrive over one link: together no faster than it is, and each takes part of it.
    assert (first["stream"] + second["stream"]) * 8 / (end_s - begin_s) < 1.05 * 200e6
    for one in (first, second):
        assert 0.9 * STREAM_BYTES < one["stream"] <= STREAM_BYTES
        assert one["stream"] * 8 / one["seconds"] < 1.05 * 200e6


def streams_at_once(
    cluster: Cluster, netload: str, senders: tuple[int, ...], receivers: tuple[int, ...]
) -> list[dict[str, float]]:
    """The output of two streams that start almost simultaneously."""
    started = []
    for port, (sender, receiver) in enumerate(zip(senders, receivers), start=7100):
        words = [cluster.addresses[receiver], "--port", str(port)]
        cluster.session.start([netload, "serve", *words], on_host=receiver)
        stream = [netload, "stream", *words, "--size", str(STREAM_BYTES)]
        started.append(cluster.session.start(stream, on_host=sender))
    rows = []
    for process in started:
        ended = cluster.session.wait(process, timeout_s=60)
        assert ended.status == 0, ended.stderr
        rows.append(json.loads(ended.stdout))
    return rows


@needs_namespaces
@pytest.mark.parametrize("claimed", ["100mbit", pytest.param("400mbit", marks=pytest.mark.slow)])
def test_a_network_of_another_rate_than_it_claims_is_refused(
    claimed: str, cluster: Cluster, netload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "network", EmulatedNetwork(hosts=3, rate=claimed))
    monkeypatch.setattr(selftest, "_ATTEMPTS", 2)  # each repeats the transfers, and ends as the one before
    with pytest.raises(RunError, match=r"stream from host 0 to host 1 reached \d\.\d+ of the rate"):
        selftest.self_test(cluster, Path(netload))


def emulated_sleep(mpi: MpiLibrary) -> str:
    return (
        f"{mpi_code(mpi)}"
        "from stretto.launch import emulated\n"
        "emulated.self_test = lambda cluster, netload: None\n"
        "emulated.native_program = lambda name, build: None\n"
        "from stretto.launch.cluster import EmulatedNetwork\n"
        "from stretto.launch.job import Job\n"
        "job = Job(Path('/bin/sleep'), ('86400',), 2)\n"
        "outcome = emulated.run_emulated(mpi, job, EmulatedNetwork())\n"
        "print(outcome.status, outcome.exit_code)\n"
    )


def host_names(run: Run) -> set[str]:
    """Where the sleeping ranks are, as the kernel sees it."""
    return {
        completed(["nsenter", "--target", str(pid), "--uts", "hostname"], check=True).stdout.strip()
        for pid in run.ranks("sleep")
    }


def network_namespaces(run: Run) -> set[str]:
    return {os.readlink(f"/proc/{pid}/ns/net") for pid in run.ranks("sleep")}


def links() -> set[str]:
    return set(os.listdir("/sys/class/net"))


@needs_namespaces
@pytest.mark.parametrize("mpi", MPIS)
class TestNothingIsLeft:
    @pytest.mark.slow
    @pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
    def test_when_stretto_is_ended(self, mpi: MpiLibrary, signum: signal.Signals, tmp_path: Path) -> None:
        before = links()
        with running(emulated_sleep(mpi), tmp_path) as run:
            eventually(lambda: len(run.ranks("sleep")) == 2, lambda: f"did not start: {run.processes()}")
            assert host_names(run) == {"emulated-0", "emulated-1"}
            run.process.send_signal(signum)
            run.process.wait()
            if signum != signal.SIGKILL:
                assert run.process.communicate() == (f"interrupted {128 + signum}\n", "")
            run.assert_nothing_left()
            assert links() == before

    def test_when_a_rank_is_killed(self, mpi: MpiLibrary, tmp_path: Path) -> None:
        with running(emulated_sleep(mpi), tmp_path) as run:
            eventually(lambda: len(run.ranks("sleep")) == 2, lambda: f"did not start: {run.processes()}")
            os.kill(run.ranks("sleep")[0], signal.SIGKILL)
            out, _ = run.process.communicate()
            assert out.startswith("failed ")
            run.assert_nothing_left()

    @pytest.mark.slow
    def test_of_either_of_two_clusters_side_by_side(self, mpi: MpiLibrary, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        with (
            running(emulated_sleep(mpi), tmp_path / "a") as a,
            running(emulated_sleep(mpi), tmp_path / "b") as b,
        ):
            for run in (a, b):
                eventually(lambda run=run: len(run.ranks("sleep")) == 2, lambda run=run: f"{run.processes()}")
            assert len(network_namespaces(a) | network_namespaces(b)) == 4
            a.process.kill()
            a.assert_nothing_left()
            assert len(b.ranks("sleep")) == 2
            b.process.send_signal(signal.SIGINT)
            b.process.wait()
            b.assert_nothing_left()


def test_more_ranks_than_hosts_is_refused_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    mpi = MpiLibrary("mpich", "5.0.2", Path("/nowhere/mpiexec"))
    with pytest.raises(UserError, match=r"more ranks \(3\) than emulated hosts \(2\)"):
        run_emulated(mpi, Job(SHELL, (), 3), EmulatedNetwork(hosts=2))


@needs_namespaces
def test_without_the_right_to_make_namespaces_it_says_what_is_needed() -> None:
    code = (
        "from stretto.launch.cluster import EmulatedNetwork, emulated_cluster\n"
        "from stretto.errors import RunError, UserError\n"
        "try:\n"
        "    with emulated_cluster(EmulatedNetwork()): print('made')\n"
        "except UserError as error:\n"
        "    print(error)\n"
    )
    text = completed(
        ["setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin", sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(PACKAGE_ROOT)},
        check=True,
    ).stdout
    assert "CAP_SYS_ADMIN" in text
    assert text.count("\n") == 1
