# SPDX-License-Identifier: BSD-3-Clause
"""What an MPI can be told by environment variables, with the values that `stretto tune` tries."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from stretto.errors import UserError
from stretto.launch.mpi import MpiLibrary
from stretto.native.library_rules import progress_variables
from stretto.native.mpi_families import Family
from stretto.options.choices import KNOBS

_MIN_WITH_PRTE = 5  # Open MPI from this version on has its launcher's settings under another prefix


@dataclass(frozen=True)
class Setting:
    """One value of a knob: variables of all ranks, and a library to preload."""

    knob: str
    label: str
    variables: Mapping[str, str] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As tables show it."""
        return f"{self.knob} {self.label}"


def combined(settings: tuple[Setting, ...]) -> Setting:
    """All settings at once; they are of different knobs."""
    return Setting(
        knob=" + ".join(one.name for one in settings),
        label="",
        variables={name: value for one in settings for name, value in one.variables.items()},
        libraries=tuple(dict.fromkeys(library for one in settings for library in one.libraries)),
    )


def settings_for(mpi: MpiLibrary, names: tuple[str, ...] = ()) -> list[Setting]:
    """The settings of this MPI, of the named knobs or of all.

    Raises:
        UserError: a knob has no settings for this MPI.
    """
    table = _MPICH if mpi.family == "mpich" else _open_mpi(mpi)
    rows = [*_OURS, *table, Setting("transport", "no-puts", progress_variables(mpi.family))]
    for name in names:
        if all(row.knob != name for row in rows):
            raise UserError(f"--knobs {name}: {mpi.family} {mpi.version} has no such setting")
    wanted = names or tuple(KNOBS)
    return [row for name in KNOBS if name in wanted for row in rows if row.knob == name]


def _of(knob: str, variable: str, *values: str) -> Iterator[Setting]:
    for value in values:
        yield Setting(knob, value, {variable: value})


def set_by_the_library(family: Family) -> dict[str, str]:
    """What libstretto_progress.so sets for an MPI, besides its thread: what the user has not set."""
    return {name: value for name, value in progress_variables(family).items() if name not in os.environ}


_OURS = [
    Setting("progress", "default", {}, ("progress",)),
    Setting("progress", "0.25ms", {"STRETTO_POLL_INTERVAL_S": "0.00025"}, ("progress",)),
    Setting("progress", "2ms", {"STRETTO_POLL_INTERVAL_S": "0.002"}, ("progress",)),
]

_MPICH = [
    Setting("own-progress", "on", {"MPIR_CVAR_ASYNC_PROGRESS": "1"}),
    *_of("eager", "UCX_RNDV_THRESH", "8K", "64K", "1M", "16M"),
    *(
        Setting("socket-buffers", size, {"UCX_TCP_SNDBUF": size, "UCX_TCP_RCVBUF": size})
        for size in ("256K", "1M", "4M")
    ),
    *_of("transport", "MPIR_CVAR_CH4_NETMOD", "ofi", "ucx"),
    *(
        Setting("transport", f"{size}-segments", {"UCX_TCP_TX_SEG_SIZE": size, "UCX_TCP_RX_SEG_SIZE": size})
        for size in ("64K", "1M")
    ),
    *_of("on-node", "MPIR_CVAR_CH4_CMA_ENABLE", "0", "1"),
    *_of("binding", "HYDRA_BINDING", "core", "numa"),
]


def _open_mpi(mpi: MpiLibrary) -> list[Setting]:
    prte = mpi.major >= _MIN_WITH_PRTE
    shared = "OMPI_MCA_btl_sm" if prte else "OMPI_MCA_btl_vader"
    binding = "PRTE_MCA_hwloc_default_binding_policy" if prte else "OMPI_MCA_hwloc_base_binding_policy"
    sizes = {"16K": 1 << 14, "256K": 1 << 18, "1M": 1 << 20, "16M": 1 << 24}
    tcp = "OMPI_MCA_btl_tcp"
    own_progress = [] if prte else list(_of("own-progress", f"{tcp}_progress_thread", "1"))
    return [
        *own_progress,
        *(
            Setting(
                "eager",
                label,
                {
                    f"{tcp}_eager_limit": str(size),
                    f"{tcp}_rndv_eager_limit": str(size),
                    f"{tcp}_max_send_size": str(max(size, 1 << 17)),
                },
            )
            for label, size in sizes.items()
        ),
        *(
            Setting("socket-buffers", label, {f"{tcp}_sndbuf": str(size), f"{tcp}_rcvbuf": str(size)})
            for label, size in sizes.items()
            if size > 1 << 14
        ),
        Setting("transport", "ucx", {"OMPI_MCA_pml": "ucx"}),
        Setting("transport", "2-links", {f"{tcp}_links": "2"}),
        *_of("on-node", f"{shared}_single_copy_mechanism", "cma", "none"),
        *_of("binding", binding, "core", "none"),
    ]
