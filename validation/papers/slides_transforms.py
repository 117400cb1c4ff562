# SPDX-License-Identifier: BSD-3-Clause
"""One-sided FT slides: NAS FT by the graphs of its schedules, one-sided and two-sided.

The reference is NAS's algorithm: local transposes before and after a blocking all-to-all. Transforms run at
the share of the peak of the parameter `fft_efficiency`.
"""

from __future__ import annotations

from functools import cache

from validation.papers.figures import Computation, Computed, Plot, Series
from validation.papers.kernel_machine import KernelMachine
from validation.papers.kernel_plans import KernelVariant
from validation.papers.world import World

MACHINES = {"jacquard": 256, "lemieux": 256, "thunder": 256, "fsn": 64}
"""The machines with the ranks of class D."""
SCHEDULES = ("packed-slabs", "slabs", "pencils")
ONE_SIDED, TWO_SIDED = "mpi-rma", "mpi-two-sided"
_RATE = "fft_efficiency"
_ITERATIONS = 1
_COMPLEX_BYTES = 16
_SIDES = {ONE_SIDED: "one-sided", TWO_SIDED: "two-sided"}
_MAX_BYTES = 1 << 20


def _variant(name: str, schedule: str, transport: str) -> KernelVariant:
    """A schedule of class D on the ranks of a machine."""
    return KernelVariant("ft", "D", MACHINES[name], schedule, transport, _ITERATIONS)


def run_s(name: str, schedule: str, transport: str, world: World) -> tuple[float, float]:
    """Seconds of one iteration of class D, and those of them that are computation."""
    return _run_s(name, schedule, transport, world.of(name))


@cache
def _run_s(name: str, schedule: str, transport: str, world: World) -> tuple[float, float]:
    ranks = MACHINES[name]
    machine = KernelMachine.named(name, ranks, world, _RATE)
    variant = _variant(name, "alltoall" if schedule == "nas" else schedule, transport)
    # The local transposes: NAS's before and after the exchange, packed slabs' before it.
    copies = {"nas": 2, "packed-slabs": 1}.get(schedule, 0)
    points = variant.points / ranks
    copy_rate = 2 * machine.platform.figure("node_bandwidth_bytes_per_s", 1)  # its figure is of two copies
    packing_s = copies * (_ITERATIONS + 1) * _COMPLEX_BYTES * points / copy_rate
    work_s = machine.work_s(variant) + packing_s
    return machine.modelled_s(variant) + packing_s, work_s


def speedups(name: str, transport: str, world: World) -> dict[str, float]:
    """The speed-up of each schedule over NAS's FT."""
    reference_s = run_s(name, "nas", TWO_SIDED, world)[0]
    return {one: reference_s / run_s(name, one, transport, world)[0] for one in SCHEDULES}


def message_counts(_: World) -> Computed:
    """Pages 15, 17 to 19: messages and sizes of the 512^3 grid on 64 processors."""
    values: dict[str, float] = {}
    for schedule in SCHEDULES:
        count, kib = _messages(KernelVariant("ft", "C", 64, schedule, ONE_SIDED, _ITERATIONS))
        values |= {f"{schedule}-messages": count, f"{schedule}-bytes": kib}
    return Computed(values)


def _messages(variant: KernelVariant) -> tuple[float, float]:
    """A rank's messages of a transpose, and the KiB of each. The slides count the own piece, too."""
    phase = variant.phases[-1]
    return phase.messages * variant.ranks / (variant.ranks - 1), max(phase.sizes_bytes) / 1024


def latency(world: World) -> Computed:
    """Page 7: 8 bytes one-sided over two-sided, on every machine."""
    ratios = []
    for name in MACHINES:
        figure = world.platform(name).figure
        one = figure("overhead_send_s", 0) + figure("wire_latency_s", 0)
        ratios.append(one / (one + figure("overhead_receive_s", 0)))
    plot = Plot("machine", "ratio", [Series("one-sided over two-sided", ratios)], list(MACHINES))
    return Computed({"most": max(ratios)}, plot)


def bandwidth(world: World) -> Computed:
    """Pages 8, 9 and 19: bandwidth of a stream over the size, of jacquard."""
    figure = world.platform("jacquard").figure
    byte_s = 1 / figure("bandwidth_bytes_per_s", 1)
    sizes = [1 << power for power in range(9, 21)]

    overhead_s = figure("overhead_send_s", 0)
    handshake_s = 2 * (figure("wire_latency_s", 0) + overhead_s)

    def one_sided_s(size: int) -> float:
        return max(overhead_s, size * byte_s) if world.one_sided_differs else two_sided_s(size)

    def two_sided_s(size: int) -> float:
        if size < figure("eager_limit_bytes", 0):
            return max(overhead_s, size / figure("eager_bytes_per_s", 1))
        return handshake_s + size * byte_s if world.handshake else max(overhead_s, size * byte_s)

    one = {size: size / one_sided_s(size) for size in sizes}
    two = {size: size / two_sided_s(size) for size in sizes}
    saturated = [
        min((size for size in sizes if rates[size] * byte_s >= 0.9), default=2 * sizes[-1])
        for rates in (one, two)
    ]
    values = {
        "8k": two[8192] / one[8192],
        "8k-peak": one[8192] * byte_s,
        "64k": one[65536] / two[65536],
        "512k": one[524288] / two[524288],
        "large": one[sizes[-1]] / two[sizes[-1]],
        "saturates": saturated[0] / saturated[1],
        "mid": min(one[size] / two[size] for size in sizes if 2048 <= size <= 65536),
    }
    lines = [
        Series(_SIDES[side], [1e-6 * rates[size] for size in sizes], sizes)
        for side, rates in ((ONE_SIDED, one), (TWO_SIDED, two))
    ]
    return Computed(values, Plot("bytes", "MB/s", lines, log_x=True))


def utilisation(world: World) -> Computed:
    """Page 16: the all-to-all's share of the peak both ways, class D on 256 processors."""
    ranks = MACHINES["jacquard"]
    machine = KernelMachine.named("jacquard", ranks, world, _RATE)
    variant = _variant("jacquard", "packed-slabs", ONE_SIDED)
    sent = _COMPLEX_BYTES * variant.points / ranks * (ranks - 1) / ranks * (_ITERATIONS + 1)
    communication_s = machine.modelled_s(variant) - machine.work_s(variant)
    values = {
        "share": 2 * sent / communication_s / machine.both_ways_bytes_per_s,
        **dict(zip(("messages", "bytes"), _messages(variant), strict=True)),
    }
    return Computed(values)


def comparison(name: str) -> Computation:
    """Page 21: speed-ups of one machine over NAS's FT."""

    def compute(world: World) -> Computed:
        found = speedups(name, ONE_SIDED, world)
        plot = Plot("schedule", "speed-up", [Series("one-sided", list(found.values()))], list(found))
        return Computed(found, plot)

    return compute


def exchanges(world: World) -> Computed:
    """Page 21: packed slabs of all machines."""
    return Computed({"least": min(speedups(name, ONE_SIDED, world)["packed-slabs"] for name in MACHINES)})


def best(world: World) -> Computed:
    """Page 21: the best speed-up of all machines."""
    return Computed({"best": max(max(speedups(name, ONE_SIDED, world).values()) for name in MACHINES)})


def communication(name: str) -> Computation:
    """Page 22: time in communication, one-sided and two-sided."""

    def compute(world: World) -> Computed:
        seconds = {side: [_communication_s(name, one, side, world) for one in SCHEDULES] for side in _SIDES}
        ratios = [a / b for a, b in zip(seconds[ONE_SIDED], seconds[TWO_SIDED], strict=True)]
        series = [Series(_SIDES[side], seconds[side]) for side in _SIDES]
        return Computed({"most": max(ratios)}, Plot("schedule", "seconds", series, list(SCHEDULES)))

    return compute


def _communication_s(name: str, schedule: str, side: str, world: World) -> float:
    """Time that is not computation."""
    total_s, work_s = run_s(name, schedule, side, world)
    return max(total_s - work_s, 1e-6)


def two_sided_pencils(world: World) -> Computed:
    """Page 22: two-sided pencils over the better of the other two, whole runs. A ratio of communication that
    is nearly hidden says nothing.
    """
    rows = [[run_s(name, one, TWO_SIDED, world)[0] for one in SCHEDULES] for name in MACHINES]
    series = [Series(one, [row[place] for row in rows]) for place, one in enumerate(SCHEDULES)]
    values = {"worst": max(row[2] / min(row[:2]) for row in rows)}
    return Computed(values, Plot("machine", "seconds, two-sided", series, list(MACHINES)))


def summary(world: World) -> Computed:
    """Page 23: the best of each side on every machine."""
    one = [max(speedups(name, ONE_SIDED, world).values()) for name in MACHINES]
    two = [max(speedups(name, TWO_SIDED, world).values()) for name in MACHINES]
    values = {
        "one-over-two": min(a / b for a, b in zip(one, two, strict=True)),
        "two-sided-overlap": min(
            max(row["slabs"], row["pencils"]) / row["packed-slabs"]
            for row in (speedups(name, TWO_SIDED, world) for name in MACHINES)
        ),
    }
    series = [Series("best one-sided", one), Series("best two-sided", two)]
    return Computed(values, Plot("machine", "speed-up over NAS", series, list(MACHINES)))


def smaller_messages(world: World) -> Computed:
    """Page 24: one-sided packed slabs against the better of slabs and pencils, and communication of slabs.

    Pencils' communication is no measure: their graph lets a sixth of it pass under computation at eta = 0.
    """
    gains, left = [], []
    for name in MACHINES:
        packed, *smaller = (run_s(name, one, ONE_SIDED, world)[0] for one in SCHEDULES)
        gains.append(packed / min(smaller))
        packed, slabs = (_communication_s(name, one, ONE_SIDED, world) for one in SCHEDULES[:2])
        left.append(slabs / packed)
    series = [Series("time, packed slabs over the better", gains), Series("communication, slabs", left)]
    values = {"smaller": min(gains), "often": max(left)}
    return Computed(values, Plot("machine", "ratio", series, list(MACHINES)))


def max_aggressive(world: World) -> Computed:
    """Architectural probes, figure 2: speed-up over the schedule without overlap, one-sided."""
    rows = {name: speedups(name, ONE_SIDED, world) for name in MACHINES}
    gains = {one: [row[one] / row["packed-slabs"] for row in rows.values()] for one in ("slabs", "pencils")}
    values = {
        "pencils-over-slabs": min(p / s for p, s in zip(gains["pencils"], gains["slabs"], strict=True)),
        "nas-overlap": min(min(row.values()) for row in rows.values()),
    }
    series = [Series(one, gain) for one, gain in gains.items()]
    return Computed(values, Plot("machine", "speed-up", series, list(MACHINES)))
