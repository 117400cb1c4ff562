# SPDX-License-Identifier: BSD-3-Clause
"""`stretto fit`: fits a profile to samples; --install also writes it where the runtime reads it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from stretto.data.installed_profile import install_profile
from stretto.data.profile_file import write_profile
from stretto.data.samples import Samples, read_samples
from stretto.data.shell import command_line
from stretto.errors import UserError
from stretto.launch.directory import check_output
from stretto.launch.platforms import simulated_torus
from stretto.model.fit import fit_profile
from stretto.model.host_outliers import outlier_sentence, pooled_outliers
from stretto.model.run_files import samples_file
from stretto.options.files import FitRequest
from stretto.report.screen import show
from stretto.report.views.parameters import parameters_view

_MEASURE = ("stretto", "probe", "loggp", "overlap")


def fit(request: FitRequest) -> None:
    """Fit the profile of a machine to samples of it.

    Several files are pooled when they are of one machine: the same MPI and network, and the same hosts or
    the same cluster and partition.
    """
    sources = [samples_file(path) for path in request.paths]
    output = request.output or (None if request.install else Path("profile.json"))
    if output is not None:
        check_output(output, request.force, sources)
    files = [read_samples(source) for source in sources]
    for warning in (warning for one in files for warning in one.warnings):
        print(f"stretto: warning: {warning}", file=sys.stderr)
    if request.install:
        _refuse_to_install(files)
    profile = fit_profile(files, torus=simulated_torus(files) if request.torus is None else request.torus)
    written = [output] if output is not None else []
    for path in written:
        write_profile(profile, path)
    if request.install:
        written.append(install_profile(profile))
    show(parameters_view(profile))
    for outlier in pooled_outliers(files):
        print(outlier_sentence(outlier))
    for path in written:
        print(path)
    known = profile.loggp or profile.collectives
    print(f"next: {command_line(('stretto', 'advise', '--profile', written[-1]) if known else _MEASURE)}")


def _refuse_to_install(files: Sequence[Samples]) -> None:
    for one in files:
        if one.header.on != "local":
            raise UserError(
                f"{one.path}: is {one.header.on}; --install takes samples of the machine itself, use -o"
            )
