# SPDX-License-Identifier: BSD-3-Clause
"""`stretto list`: shows probes, transports, substrates and platforms."""

from __future__ import annotations

from stretto.launch.installed import describe_platform, installed_programs
from stretto.launch.platforms import list_platforms
from stretto.options.choices import (
    FT_SWEEPS,
    KERNELS,
    KNOBS,
    PROBES,
    PROGRESS,
    SPMV_SWEEPS,
    SUBSTRATES,
    TRANSPORTS,
)
from stretto.options.files import ListRequest
from stretto.options.variables import VARIABLES
from stretto.report.screen import show
from stretto.report.views.catalogue import catalogue_view


def list_all(_: ListRequest) -> None:
    """Show the probes, transports, substrates and platforms there are, and the MPI that would be used."""
    platforms = [(platform.name, describe_platform(platform)) for platform in list_platforms()]
    variables = [(one.name, f"{one.component}: {one.meaning}") for one in VARIABLES]
    lists = (
        ("Probes", PROBES.items()),
        ("Sweeps of ft (--sweep)", FT_SWEEPS.items()),
        ("Sweeps of spmv (--sweep)", SPMV_SWEEPS.items()),
        ("Kernels (stretto run)", KERNELS.items()),
        ("Knobs (stretto tune --knobs)", KNOBS.items()),
        ("Transports", TRANSPORTS.items()),
        ("Progress", PROGRESS.items()),
        ("Substrates (--on)", SUBSTRATES.items()),
        ("Platforms (--on simulated --platform NAME)", platforms),
        ("Variables", variables),
        ("Here", installed_programs()),
    )
    show(catalogue_view(lists))
