# SPDX-License-Identifier: BSD-3-Clause
"""The world in which a figure is computed: the believed one, or one in which a claim of a paper should fail.

A computation asks the world for every machine and every rate. A world changes numbers (parameters with
another value) or facts (communication does not proceed while its rank computes).
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import Literal

from stretto.launch.platforms import Figure, Platform, find_platform, place_ranks
from validation.papers.provenance import parameter

Form = Literal["short", "full"]
"""The short form takes minutes for all figures; the full form has the papers' sizes."""

_OTHER = {
    "jacquard": "bassi",
    "bassi": "jacquard",
    "lemieux": "fsn",
    "thunder": "lemieux",
    "fsn": "thunder",
    "clic": "t3e",
    "t3e": "clic",
}
FABRIC = "fabric_share"
"""The share of what all nodes could send at once that the fabric between them carries; a figure of worlds."""
_NETWORK = (
    "wire_latency_s",
    "overhead_send_s",
    "overhead_receive_s",
    "gap_queue_s",
    "gap_wire_s",
    "bandwidth_bytes_per_s",
    "bus_bandwidth_bytes_per_s",
)
_IN_XML = (
    (b"bw", b"Bps", "bandwidth_bytes_per_s"),
    (b"lat", b"s", "wire_latency_s"),
    (b"limiter_link", b"Bps", "bus_bandwidth_bytes_per_s"),
)
_SIMULATED = {
    *(figure for _, _, figure in _IN_XML),
    *("overhead_send_s", "overhead_receive_s", "eager_limit_bytes", "reduce_bytes_per_s"),
    *("gap_queue_s", "spmv_efficiency", FABRIC),
}
"""Figures that the simulator or a simulated program gets. Simulations are cached by them."""
Changes = tuple[tuple[str, float], ...]
"""Figures of a machine with other values, by name."""
NEVER, ALWAYS = 0.0, float(1 << 30)
OVERLAP = "overlap"
"""The name of a machine's eta among the parameters; no figure of a platform."""


@dataclass(frozen=True)
class World:
    """What holds when a figure is computed.

    Attributes:
        name: Its name in the page; empty for the believed world.
        form: The sizes of simulated problems.
        values: Parameters that have another value than the believed one, such as `jacquard.gap_queue_s`.
        overlaps: Whether communication proceeds while its rank computes; see `eta`.
        one_sided_differs: Whether one-sided messages cost less than two-sided ones.
        handshake: Whether large two-sided messages have a handshake.
        contention: Whether ranks of a node share its adapter, and both directions its bus.
        own_network: Whether machines have their own L, o, g and G, or those of another machine.
        eager_limit: The eager limit of every machine in bytes; None: its own.
        fabric_share: What the fabric of every machine but a torus carries; see `FABRIC`.
    """

    name: str = ""
    form: Form = "full"
    values: tuple[tuple[str, float], ...] = ()
    overlaps: bool = True
    one_sided_differs: bool = True
    handshake: bool = True
    contention: bool = True
    own_network: bool = True
    eager_limit: float | None = None
    fabric_share: float = 1.0

    def value(self, name: str) -> float:
        """A parameter of the computations that is no platform's (`provenance.json`)."""
        return dict(self.values).get(name, parameter(name).value)

    def eta(self, machine: str) -> float:
        """The share of a message's time that may pass while its rank computes. No paper publishes it."""
        return self.value(f"{machine}.{OVERLAP}") if self.overlaps else 0.0

    def platform(self, name: str) -> Platform:
        """A machine in this world."""
        return altered(name, self.changes(name))

    def changes(self, name: str) -> Changes:
        """The figures of a machine that have another value in this world."""
        changed: dict[str, float] = {}
        if not self.own_network:
            own, other = find_platform(name), find_platform(_OTHER[name])
            changed |= {one: other.figures[one].value for one in _NETWORK if one in other.figures}
            changed = {one: value for one, value in changed.items() if one in own.figures}
        if self.eager_limit is not None:
            changed["eager_limit_bytes"] = self.eager_limit
        if self.fabric_share < 1 and not find_platform(name).torus:  # a torus has links that messages share
            changed[FABRIC] = self.fabric_share
        for key, value in self.values:
            machine, _, figure = key.partition(".")
            if machine == name and figure != OVERLAP:
                changed[figure] = value
        return tuple(sorted(changed.items()))

    def simulated(self, name: str) -> Changes:
        """Those that a simulation of the machine knows."""
        return tuple(one for one in self.changes(name) if one[0] in _SIMULATED)

    def of(self, name: str) -> World:
        """The same world as far as it concerns a machine, so that what is cached of it is found."""
        mine = tuple(one for one in self.values if "." not in one[0] or one[0].startswith(f"{name}."))
        return dataclasses.replace(self, name="", values=mine)

    def with_value(self, name: str, value: float) -> World:
        """The same world with another value of a parameter."""
        return dataclasses.replace(self, name=f"{name} = {value:.3g}", values=(*self.values, (name, value)))


def altered(name: str, changes: Changes) -> Platform:
    """A machine with other figures, in its XML, too."""
    platform = find_platform(name)
    figures, xml = dict(platform.figures), platform.xml
    for figure, value in changes:
        figures[figure] = Figure(value, "estimate", "an alternative world")
        for attribute, unit, of_figure in _IN_XML:
            if figure == of_figure:
                # A route has two links, but for a torus, whose figure is that of one hop.
                each = value / 2 if attribute == b"lat" and not platform.torus else value
                text = attribute + b'="' + f"{each:.9g}".encode() + unit + b'"'
                xml = re.sub(rb"\b" + attribute + rb'="[^"]*"', text, xml)
    return dataclasses.replace(platform, figures=figures, xml=xml)


def with_fabric(platform: Platform, ranks: int, ranks_per_node: int | None) -> Platform:
    """The machine of a job. Where its fabric carries only a share of what all nodes could send at once, all
    messages between them share one link.
    """
    share = platform.figure(FABRIC, 1)
    if share >= 1:
        return platform
    nodes = len(set(place_ranks(platform, ranks, ranks_per_node)))
    value = share * nodes * platform.figure("bandwidth_bytes_per_s", 1)
    link = b'<cluster bb_bw="' + f"{value:.9g}".encode() + b'Bps" bb_lat="0s" '
    return dataclasses.replace(platform, xml=platform.xml.replace(b"<cluster ", link))


def alternatives(form: Form) -> tuple[World, ...]:
    """The worlds in which claims of the papers should fail."""
    return (
        World("no overlap", form, overlaps=False),
        World("one-sided costs as two-sided", form, one_sided_differs=False),
        World("no handshake", form, handshake=False),
        World("no contention", form, contention=False),
        World("another machine's L, o, g, G", form, own_network=False),
        World("eager limit zero", form, eager_limit=NEVER),
        World("eager limit infinite", form, eager_limit=ALWAYS),
        World("a fabric of half the bandwidth", form, fabric_share=0.5),
    )
