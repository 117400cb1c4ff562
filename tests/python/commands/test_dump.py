# SPDX-License-Identifier: BSD-3-Clause
"""The text of an artefact is stable: the golden files' dumps are golden files themselves."""

from pathlib import Path

import pytest

from stretto.commands.dump import dump
from stretto.errors import UserError
from stretto.options.files import DumpRequest
from stretto.report.views.artefact import dump_lines

GOLDEN = Path(__file__).parents[2] / "golden"
ARTEFACTS = sorted(path.name.removesuffix(".txt") for path in GOLDEN.glob("*.txt"))


@pytest.mark.parametrize("name", ARTEFACTS)
def test_the_golden_files_read_as_ever(name: str) -> None:
    assert list(dump_lines(GOLDEN / name)) == (GOLDEN / f"{name}.txt").read_text().splitlines()


def test_every_golden_artefact_has_its_dump() -> None:
    files = [p.name for p in GOLDEN.iterdir() if p.suffix in (".json", ".jsonl")]
    assert sorted(name for name in files if not name.startswith("model-")) == ARTEFACTS  # cases of models
    assert len(ARTEFACTS) >= 5


def test_an_incomplete_file_is_marked_at_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text("".join((GOLDEN / "samples-1.0.jsonl").read_text().splitlines(keepends=True)[:20]))
    dump(DumpRequest(file=path))
    assert capsys.readouterr().out.splitlines()[-1] == "incomplete"


def test_control_characters_in_a_name_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(
        '{"schema": "stretto.results/1.0", "rows": [], '
        '"provenance": [{"hosts": ["\\u001b[2Jx"], "\\u001b[2J": "\\u001b"}]}'
    )
    result = list(dump_lines(path))
    assert len(result) == 2 and all(line.isprintable() for line in result)


def test_an_invalid_artefact_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello")
    with pytest.raises(UserError, match="no samples, results or profile"):
        list(dump_lines(tmp_path / "x"))
