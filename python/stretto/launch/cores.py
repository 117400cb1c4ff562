# SPDX-License-Identifier: BSD-3-Clause
"""The processor cores that this process may use."""

from __future__ import annotations

import os
from pathlib import Path


def usable_cores() -> list[int]:
    """The first hardware thread of each core that this process may run on."""
    allowed = os.sched_getaffinity(0)
    cores: dict[str, int] = {}
    for cpu in sorted(allowed):
        siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            core = siblings.read_text(encoding="ascii").strip()
        except OSError:
            core = str(cpu)
        cores.setdefault(core, cpu)
    return list(cores.values())


def share_cores(hosts: int) -> list[list[int]]:
    """The usable cores divided among `hosts` emulated hosts; empty lists when there are too few cores."""
    cores = usable_cores()
    each = len(cores) // hosts
    return [cores[host * each : (host + 1) * each] for host in range(hosts)]
