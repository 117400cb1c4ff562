# SPDX-License-Identifier: BSD-3-Clause
"""Self-test of the emulated network with raw TCP, before every use of the network.

The native `stretto-netload` measures; this module holds the limits. docs/emulation.md gives the reason for
each limit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from stretto.data.sizes import said_share
from stretto.errors import RunError
from stretto.launch.cluster import Cluster
from stretto.model.overlap import eta_of
from stretto.model.statistics import Estimate, bootstrap_medians, interval

MIN_STREAM, MAX_STREAM = 0.9, 1.0
MAX_IDLE_DIFFERENCE = 0.05
MAX_SHAPER_CPU_S_PER_BYTE = 1e-9  # 1 ms per 10^6 bytes

_ATTEMPTS = 4  # a transient disturbance must not fail the test; a wrong network fails every attempt
_STREAM_S = 0.5
_LONGEST_TRANSFER_S = 0.15
_SIZES = (256 << 10, 1 << 20, 8 << 20)
_BOUND_S = 0.06
_TIMEOUT_S = 60.0

Measure = Callable[..., list[dict[str, Any]]]
"""`measure(command, *options, sender, receiver)`: the rows that `stretto-netload` printed."""


@dataclass(frozen=True)
class Bound:
    """Overlap of raw TCP with computation of the same duration: an upper bound for every MPI here.

    `direction` is `one-way` or `both-ways`, `transfer_s` the median time of the transfer alone. `kappa` is
    the time of the computation during the transfer over that without: what the kernel takes for the data.
    """

    direction: str
    size_bytes: int
    transfer_s: float
    eta: Estimate
    kappa: Estimate


@dataclass(frozen=True)
class SelfTest:
    """Results of the self-tests.

    Attributes:
        stream_fraction: TCP payload bytes per second over the rate, lowest and highest of the links. Headers
            take 4.4 % of the rate at 1500-byte packets, so a full link has 0.956.
        idle_difference: Median time of a transfer after idle time over that of one back to back, minus 1, for
            each size.
        shaper_cpu_s_per_byte: Processor time of a stream beyond that of unshaped TCP.
    """

    rate_bits_per_s: float
    hosts: int
    stream_fraction: tuple[float, float]
    idle_difference: Mapping[int, float]
    shaper_cpu_s_per_byte: float
    bounds: tuple[Bound, ...]

    def sample_lines(self) -> str:
        """The `bound` rows of a samples file (docs/formats.md), one per line."""
        rows = (
            {
                "row": "bound",
                "direction": bound.direction,
                "size_bytes": bound.size_bytes,
                "transfer_s": bound.transfer_s,
                "value": bound.eta.value,
                "ci95_low": bound.eta.ci95_low,
                "ci95_high": bound.eta.ci95_high,
                "n": bound.eta.n,
            }
            for bound in self.bounds
        )
        return "".join(f"{json.dumps(row, allow_nan=False)}\n" for row in rows)


def self_test(cluster: Cluster, netload: Path) -> SelfTest:
    """Tests the network of `cluster` with the native program `netload`; about ten seconds for two hosts.

    Raises:
        RunError: a test failed; the message names it and its result.
    """
    return judge(measure_of(cluster, netload), cluster.network.hosts, cluster.network.rate_bits_per_s)


def judge(measure: Measure, hosts: int, rate_bits_per_s: float) -> SelfTest:
    """Applies the self-test to measurements from any source."""
    streams = _test_streams(measure, hosts, rate_bits_per_s)
    idle = _test_idle(measure, rate_bits_per_s)
    bounds = measure_bounds(measure, rate_bits_per_s)
    fractions = [stream.fraction for stream in streams]
    shaper = max(stream.shaper_cpu_s_per_byte for stream in streams)
    return SelfTest(rate_bits_per_s, hosts, (min(fractions), max(fractions)), idle, shaper, bounds)


def _links(hosts: int) -> Iterator[tuple[int, int]]:
    """Pairs of hosts such that every host sends once and receives once."""
    for host in range(hosts):
        yield host, (host + 1) % hosts


@dataclass(frozen=True)
class _Stream:
    """A stream over one link: payload as a fraction of the rate, and processor time beyond unshaped TCP's."""

    fraction: float
    shaper_cpu_s_per_byte: float

    def fault(self) -> str | None:
        """The limit that the stream violates, if any."""
        if not MIN_STREAM <= self.fraction <= MAX_STREAM:
            return f"reached {self.fraction:.3f} of the rate, not {MIN_STREAM} to {MAX_STREAM}"
        if self.shaper_cpu_s_per_byte > MAX_SHAPER_CPU_S_PER_BYTE:
            cost, most = self.shaper_cpu_s_per_byte * 1e9, MAX_SHAPER_CPU_S_PER_BYTE * 1e9
            return f"took {cost:.2f} ms of processor time per MB for its shaping, more than {most:g}"
        return None


def _test_streams(measure: Measure, hosts: int, rate: float) -> list[_Stream]:
    size = int(rate / 8 * _STREAM_S)
    streams: dict[tuple[int, int], _Stream] = {}
    for _ in range(_ATTEMPTS):
        # Interrupts are counted for the whole machine, over an equally long window: those that others
        # programs cause cancel out.
        window = ("--window-ms", str(int(_STREAM_S * 1040)))
        unshaped = measure("stream", "--size", str(size), *window, sender=0, receiver=0)[0]
        for sender, receiver in _links(hosts):
            if (sender, receiver) not in streams or streams[sender, receiver].fault():
                row = measure("stream", "--size", str(size), sender=sender, receiver=receiver)[0]
                fraction = row["stream"] * 8 / row["seconds"] / rate
                streams[sender, receiver] = _Stream(fraction, _shaper_cpu_s_per_byte(row, unshaped))
        if not any(stream.fault() for stream in streams.values()):
            return list(streams.values())
    (sender, receiver), stream = next((link, stream) for link, stream in streams.items() if stream.fault())
    raise _failed(f"a stream from host {sender} to host {receiver} {stream.fault()}")


def _shaper_cpu_s_per_byte(shaped: Mapping[str, float], unshaped: Mapping[str, float]) -> float:
    """Processor time beyond that of unshaped TCP.

    The kernel also charges an interrupt to the process that it interrupts. The additional times of processes
    and interrupts therefore overlap, and the larger one counts, not the sum.
    """
    beyond = [
        shaped[name] / shaped["stream"] - unshaped[name] / unshaped["stream"]
        for name in ("process_cpu_s", "interrupt_cpu_s")
    ]
    return max(0.0, *beyond)


def _test_idle(measure: Measure, rate: float) -> dict[int, float]:
    longest = rate / 8 * _LONGEST_TRANSFER_S
    sizes = [size for size in _SIZES if size <= longest] or [_SIZES[0]]
    differences: dict[int, float] = {}
    for _ in range(_ATTEMPTS):
        rows = measure("transfer", "--sizes", ",".join(str(size) for size in sizes), sender=0, receiver=1)
        for size in list(sizes):
            typical = {
                after: median(
                    row["time_s"] for row in rows if (row["transfer"], row["after"]) == (size, after)
                )
                for after in ("idle", "transfer")
            }
            differences[size] = typical["idle"] / typical["transfer"] - 1
            if abs(differences[size]) <= MAX_IDLE_DIFFERENCE:
                sizes.remove(size)
        if not sizes:
            return dict(sorted(differences.items()))
    raise _failed(
        f"a transfer of {sizes[0]} bytes after idle took {1 + differences[sizes[0]]:.3f} times one back to "
        f"back, more than {said_share(MAX_IDLE_DIFFERENCE)} apart"
    )


def measure_bounds(measure: Measure, rate_bits_per_s: float) -> tuple[Bound, ...]:
    """The bounds one way and both ways. They vary from minute to minute."""
    size = 1 << round(np.log2(rate_bits_per_s / 8 * _BOUND_S))
    return tuple(measure_bound(measure, size, direction) for direction in ("one-way", "both-ways"))


def measure_bound(measure: Measure, size: int, direction: str, *options: str) -> Bound:
    """The bound of one size in bytes, between the first two hosts."""
    both = ["--both-ways"] if direction == "both-ways" else []
    rows = measure("bound", "--size", str(size), *both, *options, sender=0, receiver=1)
    names = ("T_c", "T_w", "T_t", "computing_alone_s", "computing_together_s")
    times = bootstrap_medians(np.array([[row[name] for row in rows] for name in names]), seed=size)
    slowed, slowed_replicates = times.value[4] / times.value[3], times.replicates[4] / times.replicates[3]
    return Bound(
        direction,
        size,
        float(times.value[0]),
        eta_of(times),
        interval(float(slowed), slowed_replicates, times.n),
    )


def _failed(what: str) -> RunError:
    return RunError(f"the emulated network failed its self-test: {what}; is the machine busy?")


def measure_of(cluster: Cluster, netload: Path) -> Measure:
    """Measurements by the native program `netload` in the emulated network."""
    return lambda command, *options, sender, receiver: _netload(
        cluster, netload, command, *options, sender=sender, receiver=receiver
    )


def _netload(
    cluster: Cluster, netload: Path, *command: str, sender: int, receiver: int
) -> list[dict[str, Any]]:
    address = cluster.addresses[receiver]
    serving = cluster.session.start([str(netload), "serve", address], on_host=receiver)
    leading = cluster.session.start([str(netload), command[0], address, *command[1:]], on_host=sender)
    led = cluster.session.wait(leading, _TIMEOUT_S)
    served = cluster.session.wait(serving, 0.0 if led.status != 0 else _TIMEOUT_S)
    if led.status != 0:
        message = (led.stderr or served.stderr).strip().splitlines()
        raise _failed(f"{command[0]}: {message[-1] if message else 'no answer'}")
    return [json.loads(line) for line in led.stdout.splitlines()]
