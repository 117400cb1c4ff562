# SPDX-License-Identifier: BSD-3-Clause
"""Which sources `.ci/run` gives to clang-tidy: what a change touches, and after PARTS commits everything."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import tidy


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tidy.Source]]:
    """Sources a to j of which each includes its header, and c and d another one."""
    names = "abcdefghij"
    for name in names:
        more = '#include "common.hpp"\n' if name in "cd" else ""
        (tmp_path / f"{name}.cpp").write_text(f'#include "{name}.hpp"\n{more}')
        (tmp_path / f"{name}.hpp").write_text("")
    (tmp_path / "common.hpp").write_text("")
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    tidy.with_headers.cache_clear()
    yield [tidy.Source(tmp_path / f"{name}.cpp", tmp_path, "c++", ()) for name in names]
    tidy.with_headers.cache_clear()


def names_of(sources: list[tidy.Source]) -> str:
    return "".join(source.file.stem for source in sources)


def test_all_parts_together_are_everything(files: list[tidy.Source]) -> None:
    parts = [names_of(tidy.of_change(files, (), part)) for part in range(tidy.PARTS)]
    assert "".join(parts) == "abcdefghij" and all(len(part) <= 2 for part in parts)


def test_a_source_that_differs_is_checked(files: list[tidy.Source], tmp_path: Path) -> None:
    assert names_of(tidy.of_change(files, {tmp_path / "h.cpp", tmp_path / "page.md"}, 0)) == "ah"


@pytest.mark.parametrize(
    ("different", "checked"),
    [(("h.hpp",), "ah"), (("common.hpp",), "ac"), (("common.hpp", "d.cpp"), "ad"), (("unused.hpp",), "a")],
)
def test_a_header_that_differs_is_read_by_one_source(
    files: list[tidy.Source], tmp_path: Path, different: tuple[str, ...], checked: str
) -> None:
    assert names_of(tidy.of_change(files, {tmp_path / name for name in different}, 0)) == checked


def test_other_settings_are_a_change_of_everything(files: list[tidy.Source], tmp_path: Path) -> None:
    assert tidy.of_change(files, {tmp_path / ".clang-tidy"}, 0) == files


def test_a_change_is_what_differs_from_where_its_branch_began(
    files: list[tidy.Source], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> str:
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
        done = subprocess.run(["git", *who, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def commit(name: str) -> str:
        (tmp_path / name).write_text("// other\n")
        git("add", "-A")
        git("commit", "-qm", name)
        return git("rev-parse", "HEAD")

    monkeypatch.delenv("STRETTO_BASE", raising=False)
    git("init", "-q")
    first, second = commit("a.cpp"), commit("b.cpp")
    assert tidy.base() == first, "without a branch it is the last commit"
    git("update-ref", "refs/remotes/origin/main", second)
    commit("c.cpp")
    commit("d.cpp")
    (tmp_path / "new.cpp").write_text("")
    assert tidy.base() == second
    assert {file.name for file in tidy.changed(second)} == {"c.cpp", "d.cpp", "new.cpp"}
    monkeypatch.setenv("STRETTO_BASE", first)
    assert tidy.base() == first
    monkeypatch.setenv("STRETTO_BASE", "nowhere")
    assert tidy.base() == ""


def test_a_file_of_two_libraries_is_in_no_group_twice(files: list[tidy.Source], tmp_path: Path) -> None:
    """Included twice it does not compile, so that every file of its group would be checked alone."""
    again = [tidy.Source(source.file, source.directory, "c++", ("-DB",)) for source in files[:3]]
    groups = list(tidy.groups(dict.fromkeys([*files, *again], tmp_path)))
    assert sorted(map(names_of, groups)) == ["abc", "abcdefghij"]
