# SPDX-License-Identifier: BSD-3-Clause
"""What a user asked `stretto probe` for, checked before anything is started."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from stretto.commands.choices import (
    OPERATIONS,
    PATHS,
    PROBES,
    PROGRESS,
    SIDES,
    SUBSTRATES,
    TRANSPORTS,
    check_choice,
    choose,
)
from stretto.commands.probe_collective import CollectiveOptions
from stretto.commands.schedule_options import ScheduleOptions
from stretto.data.sizes import parse_size, parse_size_range
from stretto.errors import UserError
from stretto.launch.cluster import EmulatedNetwork
from stretto.launch.platforms import Platform, find_platform

LARGEST_SIZE_BYTES = 64 << 20
_BUDGET_S = {"local": 60.0, "emulated": 240.0, "simulated": 60.0}
_ALONE = {"ft", "spmv"}  # make sense on one rank, too
_SIMULATED_ROUNDS = 3  # the simulator repeats itself exactly; more rounds only show that


@dataclass(frozen=True)
class Request:
    """A probe run: `network` when emulated, `platform` when simulated. `arguments`: the native program's."""

    names: tuple[str, ...]
    ranks: int
    on: str
    mpi: str | None
    timeout_s: float | None
    network: EmulatedNetwork | None
    platform: Platform | None
    arguments: tuple[str, ...]
    ranks_per_node: int | None = None

    @staticmethod
    def checked(
        *,
        names: Sequence[str] | None,
        ranks: int,
        on: str,
        hosts: int | None,
        rate: str | None,
        platform: str | None,
        sizes: str | None,
        transport: str | None,
        progress: str | None,
        path: str | None,
        pace: float | None,
        segment: str | None,
        operation: str | None,
        side: str | None,
        ratio: str | None,
        max_noise: float,
        budget: float | None,
        rounds: int | None,
        timeout: float | None,
        seed: int,
        check: bool,
        mpi: str | None,
        collectives: CollectiveOptions | None = None,
        ranks_per_node: int | None = None,
        schedules: ScheduleOptions | None = None,
    ) -> Request:
        """From the texts and numbers of a command line.

        Raises:
            UserError: one of them is wrong, or does not go with the substrate; names the option.
        """
        probes = tuple(dict.fromkeys(check_choice("probe", name, PROBES) for name in names or PROBES))
        check_choice("--on", on, SUBSTRATES)
        network = network_of(on, hosts, rate)
        machine = platform_of(on, platform)
        least = 1 if set(probes) <= _ALONE else 2
        if ranks < least:
            raise UserError(f"-n {ranks}: probes need at least {least} rank{'s' if least > 1 else ''}")
        if network is not None:
            network.check_ranks(ranks)
        if timeout is not None and not _positive(timeout):
            raise UserError(f"--timeout {timeout:g}: give seconds above 0")
        arguments = [
            *probes,
            "--on",
            on,
            "--network",
            _network_name(network, machine),
            "--seed",
            str(_seed(seed)),
        ]
        for option, text, known in (
            ("--transport", transport, TRANSPORTS),
            ("--progress", progress, PROGRESS),
            ("--path", path, PATHS),
            ("--operation", operation, OPERATIONS),
            ("--side", side, SIDES),
        ):
            if text is not None:
                arguments += [option, ",".join(choose(option, text, known))]
        _check_threads(on, transport, progress)
        arguments += _runtime(pace, segment)
        if sizes is not None:
            arguments += ["--sizes", "{}:{}".format(*_sizes(sizes))]
        if ratio is not None:
            arguments += ["--ratio", ",".join(f"{value:g}" for value in _ratios(ratio))]
        arguments += _effort(on, max_noise, budget, rounds)
        if schedules is not None:
            arguments += schedules.arguments(probes, ranks)
        if machine is not None:
            arguments += _of_simulator(machine, probes)
        if check:
            arguments.append("--check")
        if collectives is not None:
            arguments += collectives.arguments(probes)
        per_node = _ranks_per_node(on, ranks_per_node)
        return Request(probes, ranks, on, mpi, timeout, network, machine, tuple(arguments), per_node)


def _check_threads(on: str, transport: str | None, progress: str | None) -> None:
    """Raises UserError where a helper thread is asked for that cannot be."""
    if progress is None or "thread" not in choose("--progress", progress, PROGRESS):
        return
    if on == "simulated":
        raise UserError("--progress thread: SimGrid's ranks have no threads of their own; use poll or none")
    if transport is not None and "stretto" not in choose("--transport", transport, TRANSPORTS):
        raise UserError(
            "--progress thread: only transport stretto has a helper thread; add it to --transport"
        )


def _runtime(pace: float | None, segment: str | None) -> list[str]:
    """How the runtime of transport stretto is set."""
    arguments = []
    if pace is not None:
        if not 1e-6 <= pace <= 1:
            raise UserError(f"--pace {pace:g}: give seconds from 1e-6 to 1")
        arguments += ["--pace", f"{pace:g}"]
    if segment is not None:
        try:
            size = parse_size(segment)
        except UserError as error:
            raise UserError(f"--segment {segment}: {error}") from None
        if not 256 <= size <= LARGEST_SIZE_BYTES:
            raise UserError(f"--segment {segment}: give a size from 256 to 64MiB")
        arguments += ["--segment", str(size)]
    return arguments


def network_of(on: str, hosts: int | None, rate: str | None) -> EmulatedNetwork | None:
    """The network of an emulated run, None elsewhere; UserError for an option that does not go with `on`."""
    if on == "emulated":
        return EmulatedNetwork(hosts if hosts is not None else 2, rate if rate is not None else "500mbit")
    for option, value in (("--hosts", hosts), ("--rate", rate)):
        if value is not None:
            raise UserError(f"{option} is for --on emulated, not for --on {on}")
    return None


def platform_of(on: str, platform: str | None) -> Platform | None:
    """The machine of a simulated run, None elsewhere; UserError for an option that does not go with `on`."""
    if on == "simulated":
        if platform is None:
            raise UserError("--on simulated needs --platform NAME or FILE; `stretto list` shows the names")
        return find_platform(platform)
    if platform is not None:
        raise UserError(f"--platform is for --on simulated, not for --on {on}")
    return None


def _of_simulator(machine: Platform, probes: Sequence[str]) -> list[str]:
    """No warm-up, since the simulator repeats itself; and the injection queue that SMPI has not."""
    gap_s = machine.figure("gap_queue_s", 0.0)
    queue = ["--gap-queue", repr(gap_s)] if gap_s > 0 and set(probes) & _ALONE else []
    return ["--warm-ups", "0", *queue]


def _ranks_per_node(on: str, ranks_per_node: int | None) -> int | None:
    if ranks_per_node is not None and on != "simulated":
        raise UserError(f"--ranks-per-node is for --on simulated, not for --on {on}")
    if ranks_per_node is not None and ranks_per_node < 1:
        raise UserError(f"--ranks-per-node {ranks_per_node}: give at least 1")
    return ranks_per_node


def _network_name(network: EmulatedNetwork | None, platform: Platform | None) -> str:
    if network is not None:
        return str(network)
    return platform.name if platform is not None else ""


def _sizes(text: str) -> tuple[int, int]:
    if ":" not in text:
        raise UserError(f"--sizes {text}: write MIN:MAX, such as 8:1MiB")
    try:
        low, high = parse_size_range(text)
    except UserError as error:
        raise UserError(f"--sizes {text}: {error}") from None
    if low < 1 or high > LARGEST_SIZE_BYTES:
        raise UserError(f"--sizes {text}: the first must be at least 1, the second at most 64MiB")
    return low, high


def _ratios(text: str) -> list[float]:
    try:
        ratios = [float(part) for part in text.split(",")]
    except ValueError:
        raise UserError(f"--ratio {text}: write numbers, such as 0.5,1,2") from None
    if not all(_positive(value) and value <= 100 for value in ratios):
        raise UserError(f"--ratio {text}: each must be above 0 and at most 100")
    return list(dict.fromkeys(ratios))


def _effort(on: str, max_noise: float, budget: float | None, rounds: int | None) -> list[str]:
    if not 0 < max_noise < 1:
        raise UserError(f"--max-noise {max_noise:g}: give a fraction between 0 and 1, such as 0.05")
    if budget is not None and not _positive(budget):
        raise UserError(f"--budget {budget:g}: give seconds above 0")
    if rounds is not None and not 1 <= rounds <= 100_000:
        raise UserError(f"--rounds {rounds}: give 1 to 100000")
    if rounds is None and on == "simulated" and budget is None:
        rounds = _SIMULATED_ROUNDS
    if rounds is not None:
        return ["--rounds", str(rounds)]
    return [
        "--max-noise",
        f"{max_noise:g}",
        "--budget",
        f"{budget if budget is not None else _BUDGET_S[on]:g}",
    ]


def _seed(seed: int) -> int:
    if not 0 <= seed < 2**63:
        raise UserError(f"--seed {seed}: give a whole number from 0 on")
    return seed


def _positive(value: float) -> bool:
    return math.isfinite(value) and value > 0
