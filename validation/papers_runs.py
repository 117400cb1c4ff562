# SPDX-License-Identifier: BSD-3-Clause
"""Kernels of `stretto run` on simulated machines: one run each, because a simulation is deterministic."""

from __future__ import annotations

from typing import Any

from stretto.launch.job import Job
from stretto.launch.kernels import document_of, kernel_arguments
from stretto.launch.platforms import Platform
from stretto.launch.simulated import run_simulated
from stretto.native.programs import native_program


def simulate(
    platform: Platform, ranks: int, kernel: str, variant: str, transport: str, *options: str
) -> dict[str, Any]:
    """The document that the run printed."""
    program = native_program("stretto-run", "simgrid")
    words = (kernel, f"--variant={variant}", f"--transport={transport}", *options)
    return document_of(run_simulated(Job(program, kernel_arguments(words), ranks), platform))
