# SPDX-License-Identifier: BSD-3-Clause
"""Whether the question of `stretto probe` is asked of an emulated pair of hosts, too.

The shared memory of one node is not a network. Where no second host is at hand and this process may make
namespaces, two emulated hosts stand for a network.
"""

from __future__ import annotations

import shutil
from dataclasses import replace

from stretto.launch import linux
from stretto.launch.layout import Layout, spans_nodes
from stretto.options.probe import ProbeRequest

_TOOLS = ("ip", "tc", "nsenter")


def emulated_request(request: ProbeRequest) -> ProbeRequest | None:
    """The same question for an emulated pair; None where it was answered or cannot be asked here."""
    on_one_node = request.on == "local" and not spans_nodes(Layout.of(request))
    if request.gave("on") or not on_one_node or request.ranks != 2:
        return None
    if not linux.may_make_namespaces() or not all(map(shutil.which, _TOOLS)):
        return None
    return replace(request, on="emulated", ranks_per_node=None)


def missing_network(request: ProbeRequest) -> str:
    """Why no network was measured, and what measures one; empty where one was."""
    if request.on != "local" or spans_nodes(Layout.of(request)) or request.gave("on"):
        return ""
    return "For a network: run this in a batch job of two nodes, or as root (emulated hosts)."
