# SPDX-License-Identifier: BSD-3-Clause
"""`stretto probe hosts`: finds slow hosts and links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from stretto.data.files import write_atomically
from stretto.data.hosts import read_hosts
from stretto.data.run_directory import HOSTS, REPORT
from stretto.launch.directory import fresh_directory
from stretto.launch.probing import judge
from stretto.launch.substrate import Substrate
from stretto.options.native import request_arguments
from stretto.options.probe import ProbeRequest
from stretto.report.hosts import hosts_page, hosts_view
from stretto.report.screen import show


def probe_hosts(request: ProbeRequest, substrate: Substrate, directory: Path) -> None:
    """Measures all pairs of ranks in rounds, and shows which hosts and links are slow."""
    output = directory / HOSTS
    members: dict[str, Any] = {"output": str(output.absolute()), "command": list(request.words)}
    if request.sizes is not None:
        members["size_bytes"] = request.sizes[1]
    with fresh_directory(directory, request.force):
        outcome = substrate.run("stretto-hosts", request_arguments(members))
    judge(outcome, directory, request.timeout, "stretto-hosts")
    run = read_hosts(output)
    write_atomically(directory / REPORT, hosts_page(run))
    show(hosts_view(run))
    for path in (output, directory / REPORT):
        print(path)
