# SPDX-License-Identifier: BSD-3-Clause
"""`stretto fit`: samples to a profile, written where asked and, with --install, where the runtime looks."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from stretto.data.collectives import TORUS_WANTED, is_torus
from stretto.data.files import artefact_kind
from stretto.data.profile import Profile
from stretto.data.profile_file import write_profile
from stretto.data.samples import Samples, read_samples
from stretto.errors import UserError
from stretto.launch.platforms import find_platform
from stretto.model.fit import fit_profile
from stretto.report.screen import show
from stretto.report.views.parameters import parameters_view

SAMPLES = "samples.jsonl"
_FNV_OFFSET, _FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


def fit(
    paths: Annotated[list[Path], typer.Argument(metavar="DIR|FILE...", help="Directories or samples files.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The profile to write.  [default: profile.json]")
    ] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Make it this machine's profile, which the runtime reads.")
    ] = False,
    torus: Annotated[
        str | None,
        typer.Option(
            metavar="X[xYxZ]",
            help="The network is a torus of so many nodes, rank i at node i: how reference algorithms of "
            "collectives share its links.  [default: the simulated platform's; else a switch]",
        ),
    ] = None,
) -> None:
    """Fit the profile of a machine to samples of it.

    Several files are pooled when they are of one machine: the same MPI, hosts and network.
    """
    files = [read_samples(samples_file(path)) for path in paths]
    for warning in (warning for one in files for warning in one.warnings):
        print(f"stretto: warning: {warning}", file=sys.stderr)
    if install:
        _refuse_to_install(files)
    profile = fit_profile(files, torus=simulated_torus(files) if torus is None else _asked_torus(torus))
    written = [output or Path("profile.json")] if output or not install else []
    if install:
        written.append(installed_path(profile))
        _make_directory(written[-1].parent)
    for path in written:
        write_profile(profile, path)
    show(parameters_view(profile))
    for path in written:
        print(path)


def simulated_torus(files: Sequence[Samples]) -> tuple[int, ...]:
    """The widths of the torus that the samples were simulated on; () for any other network."""
    header = files[0].header if files else None
    if header is None or header.on != "simulated":
        return ()
    try:
        return find_platform(header.network).torus
    except UserError:  # a file of the user's, which may be elsewhere by now
        return ()


def _asked_torus(text: str) -> tuple[int, ...]:
    parts = text.lower().split("x") if len(text) <= 40 else []
    widths = tuple(int(part) for part in parts if part.isascii() and part.isdigit())
    if len(widths) != len(parts) or not is_torus(widths):
        raise UserError(f"--torus '{text[:40]}' is no torus; {TORUS_WANTED}, like 8x8x8")
    return widths


def samples_file(path: Path) -> Path:
    """The samples file that `path` is or holds. UserError when it is something else."""
    if path.is_dir():
        path = path / SAMPLES
        if not path.exists():
            raise UserError(f"{path}: no such file; name a directory that `stretto probe` wrote")
    if artefact_kind(path) != "samples":
        raise UserError(f"{path}: is no samples file; a profile is fitted to a {SAMPLES}")
    return path


def _refuse_to_install(files: list[Samples]) -> None:
    for one in files:
        if one.header.on != "local":
            raise UserError(
                f"{one.path}: is {one.header.on}; --install takes samples of the machine itself, use -o"
            )


def profile_key(library: str, hosts: tuple[str, ...], network: str) -> str:
    """What a machine's installed profile is found by: 16 hexadecimal digits (docs/formats.md)."""
    lines = "\n".join((library, *sorted(set(hosts)), network))
    return f"{fnv_1a(lines.encode()):016x}"


def fnv_1a(data: bytes) -> int:
    """The 64-bit hash of Fowler, Noll and Vo: C++ must find the same key, and needs no library for it."""
    key = _FNV_OFFSET
    for byte in data:
        key = ((key ^ byte) * _FNV_PRIME) % 2**64
    return key


def installed_path(profile: Profile) -> Path:
    """Where the profile of a machine is installed. UserError when there is no home directory."""
    machine = profile.machine
    data = os.environ.get("XDG_DATA_HOME", "")
    try:
        home = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    except RuntimeError:
        raise UserError("no home directory to install into; set XDG_DATA_HOME, or use -o") from None
    library = machine.mpi.library if machine.mpi else ""
    return home / "stretto" / "profiles" / f"{profile_key(library, machine.hosts, machine.network)}.json"


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"{directory}: cannot be made ({error.strerror}); set XDG_DATA_HOME, or use -o"
        ) from None
