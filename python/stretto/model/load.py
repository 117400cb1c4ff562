# SPDX-License-Identifier: BSD-3-Clause
"""Whether a machine is too busy to be measured, and what keeps it busy."""

from collections.abc import Iterable

from stretto.data.loads import Load

_BUSY_CORES = 0.25  # of one core: a rank that shares its core so loses a tenth of the time and more
_STOLEN_SHARE = 0.05  # of the cores


def missing_cores(load: Load) -> float:
    """How many cores the ranks lack, because others keep them busy or the hypervisor does not give them."""
    free = max(0, load.cores - load.ranks)
    return max(0.0, load.others_cores - free) + load.stolen_cores


def is_busy(load: Load) -> bool:
    """Whether others take more of the host than the ranks leave free."""
    free = max(0, load.cores - load.ranks)
    return load.others_cores > free + _BUSY_CORES or load.stolen_cores > _STOLEN_SHARE * load.cores


def busiest(loads: Iterable[Load]) -> Load | None:
    """The busy row in which the ranks lacked most; None where no host was busy."""
    return max((load for load in loads if is_busy(load)), key=missing_cores, default=None)


def load_sentence(load: Load | None) -> str:
    """`the machine is busy: other programs take 1.9 of 2 cores`; empty where nothing does."""
    if load is None or not is_busy(load):
        return ""
    takers = []
    if load.others_cores > max(0, load.cores - load.ranks) + _BUSY_CORES:
        takers.append(f"other programs take {load.others_cores:.1f}")
    if load.stolen_cores > _STOLEN_SHARE * load.cores:
        takers.append(f"the hypervisor {'' if takers else 'takes '}{load.stolen_cores:.1f}")
    return f"the machine is busy: {' and '.join(takers)} of {load.cores} cores"
