# SPDX-License-Identifier: BSD-3-Clause
"""`docs/results/` holds the newest table of each command: a run replaces the older one of the same subject."""

from pathlib import Path

import pytest

import bench.run
import validation.run
from bench.harness.checks import Table
from bench.harness.show import section_subject, with_section

PAGES = sorted((Path(__file__).resolve().parents[2] / "docs" / "results").glob("*.md"))


def titles(page: str) -> list[str]:
    return [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]


def section(page: str, command: str) -> str:
    return with_section(page, "calls", "times of calls", command, [Table("one", ("a",), [("1",)])])


@pytest.mark.parametrize(
    "later",
    [
        "make bench ARGS=calls",
        'make bench ARGS="calls"',
        'make bench ARGS="calls --turns 9"',
        'make bench ARGS="--rounds 3 calls"',
        'make bench ARGS="calls --keep"',
    ],
)
def test_a_run_replaces_the_older_one_whatever_its_repetitions(later: str) -> None:
    page = section(section("", "make bench ARGS=calls"), later)
    assert len(titles(page)) == 1
    assert titles(page)[0].endswith(f"`{later}`")


@pytest.mark.parametrize(
    "other", ["MPI=openmpi make bench ARGS=calls", 'make bench ARGS="calls --rate 1gbit"']
)
def test_a_run_of_another_library_or_network_is_added(other: str) -> None:
    page = section(section("", "make bench ARGS=calls"), other)
    assert [section_subject(title) for title in titles(page)] == [
        section_subject(f"`{other}`"),
        section_subject("`make bench ARGS=calls`"),
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_has_two_tables_of_the_same_subject(page: Path) -> None:
    subjects = [section_subject(title) for title in titles(page.read_text(encoding="utf-8")) if "`" in title]
    assert len(set(subjects)) == len(subjects)


def entries() -> set[str]:
    """Names of entries that `--write` gives a page, and the two pages that other scripts write."""
    named = {entry.name for entry in (*bench.run.ENTRIES, *validation.run.ENTRIES)}
    return named | {"promises", "standard"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_command_writes_every_page(page: Path) -> None:
    assert page.stem in entries() | {"index"} or page.stem.startswith("papers")


def test_the_pages_stay_small() -> None:
    """History is in git; the pages of the papers are counted apart."""
    sizes = [page.stat().st_size for page in PAGES if not page.stem.startswith("papers")]
    assert sum(sizes) <= 150_000
