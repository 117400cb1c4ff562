# SPDX-License-Identifier: BSD-3-Clause
"""Programs whose times on other networks are predicted: with small and with large messages, in C++, C,
Fortran and Python, ours and Debian's. Each takes one to three seconds at the recorded rate.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from bench.harness.builds import ROOT, build, mpiexec_of
from bench.harness.kernels import kernel_arguments
from bench.harness.runner import Context
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.native.programs import cached_variable
from validation.applications import APPLICATIONS, MPIEXEC

_PROXIES: Mapping[str, tuple[str, ...]] = {
    "wavefront": ("--columns", "2", "--stages", "300", "--lines", "256", "--cells", "48", "--angles", "64"),
    "adaptive": ("--steps", "10000", "--finest", "9", "--coarsest", "6"),
    "halo_1d": ("--rows", "64", "--columns", "16384", "--steps", "200"),
    "halo_2d": ("--cells", "1024", "--steps", "800"),
    "halo_3d": ("--cells", "96", "--steps", "250"),
    "sparse": ("--rows", "512", "--columns", "512", "--steps", "600"),
    "transposition": ("--order", "1024", "--steps", "16"),
}
_KERNELS: Mapping[str, tuple[str, ...]] = {
    "NAS FT, class W": ("ft", "--class", "W", "--variant", "alltoall"),
    "NAS MG, class A": ("mg", "--class", "A", "--variant", "two-sided"),
    "NAS CG, class A": ("cg", "--class", "A", "--variant", "two-sided"),
}
# Larger inputs than those of the tests, for runs of a second. HPCC is not here: it takes a minute.
_LARGER: Mapping[str, Mapping[str, tuple[tuple[str, str], ...]]] = {
    "lmp": {"in.lj": (("box block 0 6 0 6 0 6", "box block 0 12 0 12 0 12"), ("run 40", "run 100"))},
    "pw.x": {},
}


def programs_of(context: Context, directory: Path) -> dict[str, tuple[str, ...]]:
    """Command lines by name, without launcher. `directory` gets the inputs of Debian's programs."""
    targets = ["stretto_programs", "stretto_trace_preload", "stretto-replay", "stretto-analyse", *_PROXIES]
    has_fortran = not (cached_variable(context.build, "STRETTO_MPIFORT") or "NOTFOUND").endswith("NOTFOUND")
    programs = build(context.build, *targets, *(["barotropic"] if has_fortran else []))
    proxies = context.build / "proxies"
    found = {name: (str(proxies / name), *options) for name, options in _PROXIES.items()}
    for name, words in _KERNELS.items():
        found[name] = (
            str(programs / "stretto-run"),
            *kernel_arguments((*words, "--transport", "mpi-two-sided")),
        )
    if has_fortran:
        size = ("--rows", "2000", "--columns", "200", "--steps", "200")
        found["barotropic, Fortran"] = (str(proxies / "barotropic"), *size)
    mpi = find_mpi(mpiexec_of(context.build))
    if mpi.family == "mpich" and find_spec("mpi4py"):
        script = ROOT / "validation" / "programs" / "transposed.py"
        found["transposed, mpi4py"] = (sys.executable, str(script), "10", "4", "60")
    halo = str(_compiled(mpi, ROOT / "validation" / "programs" / "halo_one_sided.c", directory))
    for access in ("put", "get"):
        found[f"halo by {access}, one-sided"] = (halo, access, "512", "8192", "100")
    if mpi.mpiexec.resolve() == MPIEXEC.resolve():
        found |= _debian(directory)
    return found


def _compiled(mpi: MpiLibrary, source: Path, directory: Path) -> Path:
    """The program of a source in C."""
    named = mpi.bin / mpi.mpiexec.name.replace("mpiexec", "mpicc")  # Debian: mpicc.mpich, mpicc.openmpi
    program = directory / source.stem
    wrapper = named if named.is_file() else mpi.bin / "mpicc"
    subprocess.run([str(wrapper), "-O2", str(source), "-o", str(program)], check=True)
    return program


def _debian(directory: Path) -> dict[str, tuple[str, ...]]:
    """Those of Debian's that are installed; they are linked with Debian's Open MPI."""
    found = {}
    for name, application in APPLICATIONS.items():
        program = shutil.which(name)
        if program is None or name not in _LARGER:
            continue
        place = directory / name
        place.mkdir(parents=True, exist_ok=True)
        application.prepare(place)
        for file, changes in _LARGER[name].items():
            text = (place / file).read_text(encoding="utf-8")
            for before, after in changes:
                text = text.replace(before, after)
            (place / file).write_text(text, encoding="utf-8")
        found[f"Debian's {application.package}"] = (
            *("env", "-C", str(place), program),
            *application.command[1:],
        )
    return found
