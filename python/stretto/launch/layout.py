# SPDX-License-Identifier: BSD-3-Clause
"""The layout of ranks on nodes: what the user requested, and the nodes that it comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import UserError
from stretto.launch.allocation import Allocation, granted_nodes
from stretto.options.substrate import LayoutOptions


@dataclass(frozen=True)
class Layout:
    """What the user requested of nodes; None leaves it to stretto.

    Attributes:
        hostfile: The nodes; None: those of the batch system's job, else this machine.
        ranks_per_node: None: as few as the number of nodes allows.
        launcher: A template of the launch line, with `{command}`; None: the system's launcher, else mpiexec.
    """

    hostfile: Path | None = None
    ranks_per_node: int | None = None
    launcher: str | None = None

    @staticmethod
    def of(request: LayoutOptions) -> Layout:
        """The layout of a request."""
        return Layout(request.hostfile, request.ranks_per_node, request.launcher)


HERE = Layout()


@dataclass(frozen=True)
class Placement:
    """Ranks on nodes in blocks: rank i is on node i // per_node.

    Attributes:
        system: As for `Allocation`.
        nodes: The nodes that get ranks; empty: a launch template chooses them.
        requested: Whether the user requested `per_node`; else the launcher may divide the ranks otherwise.
    """

    system: str
    nodes: tuple[str, ...]
    ranks: int
    per_node: int
    requested: bool = True

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of ranks of each node."""
        whole, rest = divmod(self.ranks, self.per_node)
        return (self.per_node,) * whole + ((rest,) if rest else ())

    def holds_for(self, found: Mapping[str, int]) -> bool:
        """Whether ranks that are on these hosts, with these numbers, are where they were requested."""
        if self.requested or self.per_node == 1:
            return sorted(found.values()) == sorted(self.counts)
        return len(found) == len(self.counts) and sum(found.values()) == self.ranks

    def __str__(self) -> str:
        each = f"{self.per_node} rank{'s' if self.per_node > 1 else ''} on each of"
        count = len(self.counts)
        return f"{each} {count} nodes" if count > 1 else f"{self.ranks} ranks on one node"


def place(layout: Layout, ranks: int) -> Placement | None:
    """The nodes of `ranks` ranks; None: all of them are on this machine.

    Raises:
        UserError: there are not enough nodes for the ranks per node, or the nodes cannot be read.
    """
    allocation = granted_nodes(layout.hostfile)
    if allocation is None:
        if layout.launcher is not None and layout.ranks_per_node is not None:
            return Placement("the launcher", (), ranks, layout.ranks_per_node)
        allocation = Allocation("this machine", ("localhost",))
    nodes = len(allocation.nodes)
    per_node = layout.ranks_per_node or -(-ranks // nodes)
    needed = -(-ranks // per_node)
    if needed > nodes:
        raise UserError(
            f"--ranks-per-node {per_node}: {ranks} ranks need {needed} nodes, "
            f"and {allocation.system} has {nodes}"
        )
    if nodes == 1 and layout.hostfile is None and layout.launcher is None:
        return None
    requested = layout.ranks_per_node is not None
    return Placement(allocation.system, allocation.nodes[:needed], ranks, per_node, requested)


def default_ranks(layout: Layout, otherwise: int, every_node: bool = False) -> int:
    """The ranks where none are requested: those that fill the nodes, if their number or all nodes are."""
    if layout.ranks_per_node is None and not every_node:
        return otherwise
    allocation = granted_nodes(layout.hostfile)
    nodes = len(allocation.nodes) if allocation is not None else 1
    return max(nodes * (layout.ranks_per_node or 1), otherwise if every_node else 1)


def spans_nodes(layout: Layout = HERE) -> bool:
    """Whether ranks would run on several nodes, or where a launch template puts them."""
    if layout.launcher is not None:
        return True
    allocation = granted_nodes(layout.hostfile)
    return allocation is not None and len(allocation.nodes) > 1
