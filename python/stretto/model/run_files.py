# SPDX-License-Identifier: BSD-3-Clause
"""The files of a run, by the name of its directory or of one of its files."""

from __future__ import annotations

from pathlib import Path

from stretto.data.files import artefact_kind
from stretto.data.results import Results, read_results
from stretto.data.samples import read_samples
from stretto.errors import UserError
from stretto.model.derive import derive_results

_SAMPLES = "samples.jsonl"


def load_results(path: Path) -> Results:
    """The figures of a run: its results.json, or derived from its samples.jsonl when it has only that.

    Raises:
        UserError: `path` is neither, nor a directory that holds one.
    """
    if path.is_dir():
        result = next(
            (path / name for name in ("results.json", "samples.jsonl") if (path / name).exists()), None
        )
        if result is None:
            raise UserError(f"{path}: holds no results.json and no samples.jsonl; name a run's directory")
        path = result
    kind = artefact_kind(path)
    if kind == "profile":
        raise UserError(f"{path}: is a profile; compare results.json or samples.jsonl")
    return read_results(path) if kind == "results" else derive_results(read_samples(path))


def samples_file(path: Path) -> Path:
    """The samples file that `path` is or holds. UserError when it is something else."""
    if path.is_dir():
        path = path / _SAMPLES
        if not path.exists():
            raise UserError(f"{path}: no such file; name a directory that `stretto probe` wrote")
    if artefact_kind(path) != "samples":
        raise UserError(f"{path}: is no samples file; a profile is fitted to a {_SAMPLES}")
    return path
