# SPDX-License-Identifier: BSD-3-Clause
"""The files of a run directory; all of them derive from the samples and can be regenerated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stretto.data.files import compress, write_atomically
from stretto.data.profile_file import read_profile, write_profile
from stretto.data.results import Results, read_results, write_results
from stretto.data.run_directory import PROFILE, REPORT, RESULTS, SAMPLES, samples_in
from stretto.data.samples import read_samples
from stretto.data.trace_names import refuse_trace
from stretto.errors import UserError
from stretto.launch.platforms import simulated_torus
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile, profile_of
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.screen import show
from stretto.report.text import document_view


@dataclass(frozen=True)
class Artefacts:
    """The artefacts, and the samples that they derive from."""

    document: Document
    paths: tuple[Path, ...]


def make_artefacts(directory: Path) -> Artefacts:
    """Derives results, profile and report from the samples in `directory`, writes them, and packs these.

    The samples of a run that did not come to its end stay as they are.

    Raises:
        UserError: the samples violate docs/formats.md.
    """
    samples = read_samples(directory / SAMPLES)
    results = derive_results(samples)
    profile = fit_profile([samples], torus=simulated_torus([samples]))
    document = Document.of(results, profile, [samples])
    write_results(results, directory / RESULTS)
    write_profile(profile, directory / PROFILE)
    write_atomically(directory / REPORT, render(document))
    kept = compress(directory / SAMPLES) if samples.complete else directory / SAMPLES
    return Artefacts(document, (kept, *(directory / name for name in (RESULTS, PROFILE, REPORT))))


def show_artefacts(directory: Path, artefacts: Artefacts) -> None:
    """Prints the tables and the paths of the files."""
    show(document_view(artefacts.document))
    print()
    for path in artefacts.paths:
        print(path)


def read_document(directory: Path) -> Document:
    """The content of a run directory: derived from its samples if they exist, else read from its other files.

    Raises:
        UserError: None of the three files exists, or one violates docs/formats.md.
    """
    if not directory.is_dir():
        what = "is no directory" if directory.exists() else "does not exist"
        raise UserError(f"{directory} {what}: name the output directory of a probe")
    if (file := samples_in(directory)) is not None:
        samples = read_samples(file)
        results = derive_results(samples)
        return Document.of(results, profile_of([samples], [results], simulated_torus([samples])), [samples])
    result = [name for name in (RESULTS, PROFILE) if (directory / name).exists()]
    if not result:
        refuse_trace(directory)
        raise UserError(
            f"{directory} has no {SAMPLES}, {RESULTS} or {PROFILE}: name the output directory of a probe"
        )
    return Document.of(
        read_results(directory / RESULTS) if RESULTS in result else Results(()),
        read_profile(directory / PROFILE) if PROFILE in result else None,
    )
