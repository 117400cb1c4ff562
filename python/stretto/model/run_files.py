# SPDX-License-Identifier: BSD-3-Clause
"""The files of a run, by the name of its directory or of one of its files."""

from __future__ import annotations

from pathlib import Path

from stretto.data.files import artefact_kind
from stretto.data.results import Results, read_results
from stretto.data.run_directory import RESULTS, SAMPLES, samples_in
from stretto.data.samples import read_samples
from stretto.data.trace_names import refuse_trace
from stretto.errors import UserError
from stretto.model.derive import derive_results


def load_results(path: Path) -> Results:
    """The figures of a run: its results.json, or derived from its samples.jsonl when it has only that.

    Raises:
        UserError: `path` is neither, nor a directory that holds one.
    """
    if path.is_dir():
        results = path / RESULTS
        found = results if results.exists() else samples_in(path)
        if found is None:
            refuse_trace(path)
            raise UserError(f"{path}: holds no results.json and no samples.jsonl; name a run's directory")
        path = found
    kind = artefact_kind(path)
    if kind == "profile":
        raise UserError(f"{path}: is a profile; compare results.json or samples.jsonl")
    return read_results(path) if kind == "results" else derive_results(read_samples(path))


def samples_file(path: Path) -> Path:
    """The samples file that `path` is or holds. UserError when it is something else."""
    if path.is_dir():
        found = samples_in(path)
        if found is None:
            refuse_trace(path)
            raise UserError(f"{path / SAMPLES}: no such file; name a directory that `stretto probe` wrote")
        path = found
    if artefact_kind(path) != "samples":
        raise UserError(f"{path}: is no samples file; a profile is fitted to a {SAMPLES}")
    return path
