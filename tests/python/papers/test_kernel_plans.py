# SPDX-License-Identifier: BSD-3-Clause
"""Kernels as schedules, by one program for all requests of a process."""

from pathlib import Path

import pytest
from processes import has_program, needs_built

from stretto.errors import RunError
from stretto.model.network import LogGp, PathCosts
from stretto.native import programs
from stretto.native.mpi_families import Build
from validation.papers import kernel_plans, line_program
from validation.papers.kernel_plans import KernelVariant

pytestmark = needs_built(has_program("stretto-kernel-plans", "none"), "STRETTO-KERNEL-PLANS")


def test_one_program_answers_for_all_variants_and_after_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def native_program(name: str, build: Build) -> Path:
        started.append(name)
        return programs.native_program(name, build)

    kernel_plans._program().end()
    monkeypatch.setattr(line_program, "native_program", native_program)
    path = PathCosts.uniform(LogGp.of(L=1e-6, o=1e-6, G=1e-9, overlap=1.0)).request
    times = [
        KernelVariant(kernel, "S", 4, variant, "mpi-two-sided").run_s(path, 1e-9)
        for kernel, variant in (("ft", "slabs"), ("mg", "nonblocking"), ("cg", "blocking"))
    ]
    assert min(times) > 0 and len(set(times)) == 3
    assert len(started) == 1
    with pytest.raises(RunError, match="stretto-kernel-plans: unknown kernel 'lu'"):
        KernelVariant("lu", "S", 4, "slabs", "mpi-two-sided").run_s(path, 1e-9)
    assert KernelVariant("ft", "S", 4, "slabs", "mpi-two-sided").run_s(path, 1e-9) == times[0]
    assert len(started) == 2
