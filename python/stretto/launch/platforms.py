# SPDX-License-Identifier: BSD-3-Clause
"""Simulated machines: a SimGrid platform (NAME.xml) and, next to it, its figures with sources (NAME.json).

The XML defines hosts, links and routes. The JSON holds what the XML format lacks (overheads, the eager
limit) and the source of every number. `docs/platforms.md` describes both.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast, get_args

from stretto.data.fields import Members, Place
from stretto.data.files import decode_json, minor_version
from stretto.data.samples import Samples
from stretto.errors import UserError
from stretto.launch.platform_xml import HostGroup, read_bytes, read_hosts
from stretto.native.programs import project_root

Kind = Literal["paper", "vendor", "measurement", "estimate", "calibration"]

_KINDS = get_args(Kind)
FIGURES = (
    "nodes",
    "cores_per_node",
    "core_flops_per_s",
    "latency_s",
    "wire_latency_s",
    "overhead_send_s",
    "overhead_receive_s",
    "gap_queue_s",
    "gap_wire_s",
    "spmv_efficiency",
    "interrupt_s",
    "handler_bytes_per_s",
    "reduce_bytes_per_s",
    "eager_bytes_per_s",
    "rendezvous_overlap",
    "bandwidth_bytes_per_s",
    "bus_bandwidth_bytes_per_s",
    "eager_limit_bytes",
    "node_latency_s",
    "node_bandwidth_bytes_per_s",
)
_TORUS = re.compile(rb'topology="TORUS"\s+topo_parameters="(\d+(?:,\d+)*)"')
_SIDECAR_LIMIT_BYTES = 1 << 20
_LARGEST_FIGURE = 1e18
_EAGER_LIMIT_BYTES = 65536


@dataclass(frozen=True)
class Figure:
    """A number of a machine, in the unit that its name ends with, and where it comes from."""

    value: float
    kind: Kind
    source: str


@dataclass(frozen=True)
class Platform:
    """A machine to simulate. `xml` is the checked content of `path`; the simulator gets `xml`."""

    name: str
    description: str
    path: Path
    hosts: tuple[HostGroup, ...]
    figures: Mapping[str, Figure]
    xml: bytes = field(repr=False)

    def figure(self, name: str, otherwise: float) -> float:
        """The value of a figure, or `otherwise` where it is unknown."""
        return self.figures[name].value if name in self.figures else otherwise

    @property
    def torus(self) -> tuple[int, ...]:
        """The widths of the network where it is a single torus of one-core nodes; else ()."""
        result = _TORUS.findall(self.xml)
        if len(result) != 1 or len(self.hosts) != 1 or self.hosts[0].cores != 1:
            return ()
        return tuple(int(width) for width in result[0].split(b","))

    def smpi_options(self) -> dict[str, str]:
        """The settings of SMPI that depend on the machine: overheads, and the size limit of eager messages.

        SMPI charges `os` to MPI_Send, and `ois` to MPI_Isend, put and get. It charges `or` to the rank that
        waits for an eager message, a put or a get.
        """
        send, receive = self.figure("overhead_send_s", 0.0), self.figure("overhead_receive_s", 0.0)
        eager = str(int(self.figure("eager_limit_bytes", _EAGER_LIMIT_BYTES)))
        return {
            "smpi/os": f"0:{send!r}:0",
            "smpi/ois": f"0:{send!r}:0",
            "smpi/or": f"0:{receive!r}:0",
            "smpi/async-small-thresh": eager,
            "smpi/send-is-detached-thresh": eager,
        }

    def environment(self) -> dict[str, str]:
        """What native programs read of the machine: the time of a reduction's arithmetic (reference.cpp)."""
        rate = self.figure("reduce_bytes_per_s", 0.0)
        if not rate:
            return {}
        flops = self.figure("core_flops_per_s", 0.0) / rate
        return {"STRETTO_SIMULATED_REDUCE_FLOPS_PER_BYTE": repr(flops)}


def find_platform(name_or_path: str) -> Platform:
    """A platform of stretto by its name, or a platform file of the user.

    Raises:
        UserError: there is no such platform, or it cannot be used; the message names file and line.
    """
    shipped = {path.stem: path for path in _shipped()}
    path = shipped.get(name_or_path, Path(name_or_path))
    if name_or_path not in shipped and "/" not in name_or_path and not path.exists():
        raise UserError(f"--platform {name_or_path}: no such file, and not one of {', '.join(shipped)}")
    return _read(path)


def list_platforms() -> tuple[Platform, ...]:
    """The platforms that come with stretto, by name."""
    return tuple(_read(path) for path in _shipped())


def place_ranks(platform: Platform, ranks: int, ranks_per_node: int | None = None) -> list[str]:
    """The host of each rank: `ranks_per_node` consecutive ranks share a node.

    Without `ranks_per_node`, a node gets as few ranks as possible: one if there are enough nodes, so that
    messages use the network.

    Raises:
        UserError: the machine is too small, or has fewer cores per node.
    """
    nodes = sum(len(group) for group in platform.hosts)
    cores = min(group.cores for group in platform.hosts)
    share = ranks_per_node if ranks_per_node is not None else max(1, math.ceil(ranks / nodes))
    size = f"platform {platform.name} has {nodes} nodes of {cores} cores"
    if ranks > nodes * cores:
        raise UserError(f"-n {ranks}: {size}; ask for fewer ranks")
    if not 1 <= share <= cores or ranks > nodes * share:
        raise UserError(f"-n {ranks} with {share} ranks a node: {size}")
    names = itertools.chain.from_iterable(group.names() for group in platform.hosts)
    every = itertools.chain.from_iterable(itertools.repeat(name, share) for name in names)
    return list(itertools.islice(every, ranks))


def _shipped() -> list[Path]:
    package = Path(__file__).resolve().parents[1] / "platforms"
    root = project_root()
    folder = package if package.is_dir() or root is None else root / "platforms"
    return sorted(folder.glob("*.xml"))


def _read(path: Path) -> Platform:
    xml = read_bytes(path)
    hosts = read_hosts(path, xml)
    sidecar = path.with_suffix(".json")
    if not sidecar.exists():
        return Platform(path.stem, "", path, hosts, {}, xml)
    members = _members(sidecar)
    given = members.object("figures")
    figures = {key: _figure(given, key) for key in given.members}
    name, description = members.text("name", path.stem), members.text("description", "")
    return Platform(name, description, path, hosts, figures, xml)


def _members(path: Path) -> Members:
    place = Place(path)
    text = read_bytes(path, _SIDECAR_LIMIT_BYTES).decode("utf-8", errors="replace")
    members = Members.of(decode_json(text, place), place)
    minor_version(members.members.get("schema"), "platform", 1, place)
    return members


def _figure(figures: Members, name: str) -> Figure:
    if name not in FIGURES:
        known = ", ".join(FIGURES)
        raise figures.place.member(name).error(f"is not known; the figures are {known}")
    given = figures.object(name)
    value, kind = given.number("value", 0, _LARGEST_FIGURE), given.text("kind", allowed=_KINDS)
    source = given.text("source", "")
    if not source.strip():
        raise given.place.member("source").error("is missing; say where the number comes from")
    return Figure(value, cast(Kind, kind), source)


def simulated_torus(files: Sequence[Samples]) -> tuple[int, ...]:
    """The widths of the torus that the samples were simulated on; () for any other network."""
    header = files[0].header if files else None
    if header is None or header.on != "simulated":
        return ()
    try:
        return find_platform(header.network).torus
    except UserError:  # a user's platform file may have been moved since
        return ()
