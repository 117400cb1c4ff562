# SPDX-License-Identifier: BSD-3-Clause
"""`stretto list`: what there is to probe, over what, and where."""

from __future__ import annotations

from stretto.errors import UserError
from stretto.launch.mpi import find_mpi
from stretto.launch.platforms import Platform, list_platforms
from stretto.native.programs import native_program
from stretto.options.choices import (
    FT_SWEEPS,
    KERNELS,
    PROBES,
    PROGRESS,
    SPMV_SWEEPS,
    SUBSTRATES,
    TRANSPORTS,
    VARIABLES,
)
from stretto.report.screen import show
from stretto.report.views.catalogue import catalogue_view


def list_all() -> None:
    """Show the probes, transports, substrates and platforms there are, and the MPI that would be used."""
    lists = (
        ("Probes", PROBES.items()),
        ("Sweeps of ft (--sweep)", FT_SWEEPS.items()),
        ("Sweeps of spmv (--sweep)", SPMV_SWEEPS.items()),
        ("Kernels (stretto run)", KERNELS.items()),
        ("Transports", TRANSPORTS.items()),
        ("Progress", PROGRESS.items()),
        ("Substrates (--on)", SUBSTRATES.items()),
        ("Platforms (--on simulated --platform NAME)", [(p.name, _about(p)) for p in list_platforms()]),
        ("Variables", VARIABLES.items()),
        ("Here", _found()),
    )
    show(catalogue_view(lists))


def _about(platform: Platform) -> str:
    figures = platform.figures
    parts = [platform.description]
    if "latency_s" in figures and "bandwidth_bytes_per_s" in figures:
        latency, bandwidth = figures["latency_s"].value, figures["bandwidth_bytes_per_s"].value
        parts.append(f"({latency * 1e6:.3g} µs, {bandwidth / 1e6:.4g} MB/s)")
    return " ".join(parts)


def _found() -> list[tuple[str, str]]:
    rows = []
    for family in ("mpich", "openmpi"):
        try:
            mpi = find_mpi(family)
            rows.append((family, f"{mpi.version}, {mpi.mpiexec}"))
            native_program("stretto-probe", mpi.family, mpi.mpiexec)
        except UserError as error:
            rows.append((family, str(error)))
    try:
        rows.append(("simulated", str(native_program("stretto-probe", "simgrid"))))
    except UserError as error:
        rows.append(("simulated", str(error)))
    return rows
