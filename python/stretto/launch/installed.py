# SPDX-License-Identifier: BSD-3-Clause
"""The available platforms and MPIs, and the programs that are built for them."""

from __future__ import annotations

from stretto.errors import UserError
from stretto.launch.mpi import find_mpi
from stretto.launch.platforms import Platform
from stretto.native.mpi_families import FAMILIES
from stretto.native.programs import native_program


def describe_platform(platform: Platform) -> str:
    """One sentence that describes a platform."""
    figures = platform.figures
    parts = [platform.description]
    if "latency_s" in figures and "bandwidth_bytes_per_s" in figures:
        latency, bandwidth = figures["latency_s"].value, figures["bandwidth_bytes_per_s"].value
        parts.append(f"({latency * 1e6:.3g} µs, {bandwidth / 1e6:.4g} MB/s)")
    return " ".join(parts)


def installed_programs() -> list[tuple[str, str]]:
    """One row per MPI, and one for the simulator: its version and builds, or what is missing."""
    rows: list[tuple[str, str]] = []
    for family in FAMILIES:
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
