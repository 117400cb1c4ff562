# SPDX-License-Identifier: BSD-3-Clause
"""The synthetic machine of the report's tests, read from files."""

import json
from pathlib import Path

import pytest
import synthetic_machine as synthetic

from stretto.data.profile_file import read_profile
from stretto.data.results import read_results
from stretto.data.sample_rows import CaseEnd, Checked, NoiseFloor, Skipped
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.screen import plain_text
from stretto.report.text import document_view


def loaded(folder: Path, results: synthetic.Json, profile: synthetic.Json) -> Document:
    (folder / "results.json").write_text(json.dumps(results))
    (folder / "profile.json").write_text(json.dumps(profile))
    return Document(
        read_results(folder / "results.json"),
        read_profile(folder / "profile.json"),
        case_ends=(
            *(CaseEnd("overlap", case, "noise", 24, 1) for case in range(40)),
            CaseEnd("latency", 0, "budget", 9, 0),
        ),
        noise_floors=(NoiseFloor(5e-8, 200),),
        checked=(Checked("overlap", 0, 100, 0),),
        skipped=(Skipped("overlap", "mpi-rma", "get", "progress thread needs MPI_THREAD_MULTIPLE"),),
    )


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> Document:
    return loaded(tmp_path_factory.mktemp("local"), synthetic.results(), synthetic.profile())


@pytest.fixture(scope="session")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> Document:
    return loaded(tmp_path_factory.mktemp("emulated"), synthetic.emulated(), synthetic.profile("remote"))


@pytest.fixture(scope="session")
def local_html(local: Document) -> str:
    """The page of `local`, which takes long to make."""
    return render(local)


@pytest.fixture(scope="session")
def local_text(local: Document) -> str:
    """What the terminal shows of `local`."""
    return plain_text(document_view(local))
