# SPDX-License-Identifier: BSD-3-Clause
"""The files of a run directory: all that is in them follows from the samples, and can be made again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stretto.commands.fit import simulated_torus
from stretto.data.files import write_atomically
from stretto.data.profile_file import write_profile
from stretto.data.results import write_results
from stretto.data.samples import read_samples
from stretto.launch.directory import FILES, PROFILE, REPORT, RESULTS, SAMPLES
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.screen import show
from stretto.report.text import document_view


@dataclass(frozen=True)
class Artefacts:
    """What was made, and from what."""

    document: Document
    paths: tuple[Path, ...]


def make_artefacts(directory: Path) -> Artefacts:
    """Derives results, fits the profile and renders the report from the samples in `directory`; writes all.

    Raises:
        UserError: the samples are not what docs/formats.md allows.
    """
    samples = read_samples(directory / SAMPLES)
    results = derive_results(samples)
    profile = fit_profile([samples], torus=simulated_torus([samples]))
    document = Document.of(results, profile, [samples])
    write_results(results, directory / RESULTS)
    write_profile(profile, directory / PROFILE)
    write_atomically(directory / REPORT, render(document))
    return Artefacts(document, tuple(directory / name for name in FILES))


def show_artefacts(directory: Path, artefacts: Artefacts) -> None:
    """Prints the tables and the paths of the files."""
    show(document_view(artefacts.document))
    print()
    for path in artefacts.paths:
        print(path)
