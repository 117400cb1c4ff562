# SPDX-License-Identifier: BSD-3-Clause
"""`make test` draws the same examples in every run; `make search` draws others, and reports what fails."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

import search

DRAWN = """
from hypothesis import given, strategies

@given(strategies.integers())
def test_draws(number):
    print("drawn", number)
"""


def drawn(tmp_path: Path, *options: str) -> list[str]:
    """The examples that a process draws with the settings of these tests."""
    (tmp_path / "conftest.py").write_text(Path(__file__).parents[1].joinpath("conftest.py").read_text())
    (tmp_path / "test_draws.py").write_text(DRAWN)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
        *options,
        "test_draws.py",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "drawn" in line]


@pytest.mark.slow
def test_every_run_draws_the_same_examples(tmp_path: Path) -> None:
    first = drawn(tmp_path)
    assert len(set(first)) > 20
    assert drawn(tmp_path) == first
    assert not (tmp_path / ".hypothesis" / "examples").exists()
    assert settings().derandomize and settings().database is None and settings().deadline is None


@pytest.mark.slow
def test_a_search_draws_by_its_seed(tmp_path: Path) -> None:
    def options(seed: int) -> list[str]:
        return [word for word in search.SEARCHES["properties"].command(seed) if word.startswith("--hyp")]

    one, other = (drawn(tmp_path, *options(seed)) for seed in (1, 2))
    assert one != other and one != drawn(tmp_path)


@pytest.fixture
def numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A search that finds something where its seed is even."""
    code = "import os, sys; print('see', os.environ['N']); sys.exit(1 - int(sys.argv[1]) % 2)"
    one = search.Search(
        "numbers", lambda seed: [sys.executable, "-c", code, str(seed)], lambda seed: {"N": f"n{seed}"}
    )
    monkeypatch.setattr(search, "SEARCHES", {"numbers": one})
    monkeypatch.setattr(search, "ROOT", tmp_path)
    monkeypatch.setattr(search, "RESULTS", tmp_path / "build")
    return tmp_path / "build"


def test_a_finding_is_status_3_with_its_seed_and_output(
    numbers: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["search.py", "--seed", "4"])
    assert search.main() == 3
    assert "numbers --seed 4: found something, see build/numbers-4.log" in capsys.readouterr().out
    assert (numbers / "numbers-4.log").read_text() == "see n4\n"


def test_a_search_without_findings_leaves_no_output(numbers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["search.py", "--seed", "5", "numbers"])
    assert search.main() == 0
    assert not list(numbers.iterdir())


def test_an_unknown_search_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["search.py", "nothing"])
    with pytest.raises(SystemExit, match="2"):
        search.main()
