# SPDX-License-Identifier: BSD-3-Clause
"""The lint for retired words finds them in names and prose, and nothing else."""

from __future__ import annotations

import pytest

from retired_words import LIST, findings, kept_lines, retired_words

ENTRIES = retired_words("movers? | exchange\nlegs? | transpose | src/*\ncomes? apart | rendezvous\n")


@pytest.mark.parametrize(
    "line",
    ["class MoverShape;", "auto two_movers = 2;", "// A block comes apart.", "make_mover_of()", "MOVER"],
)
def test_a_retired_word_is_found_in_names_and_in_prose(line: str) -> None:
    (result,) = findings("src/a.cpp", f"\n{line}\n", ENTRIES, set())
    assert result.startswith("src/a.cpp:2: ")


@pytest.mark.parametrize("line", ["remove(x);", "the remover", "legal", "it comes, apart from that"])
def test_a_word_that_contains_a_retired_one_is_fine(line: str) -> None:
    assert findings("src/a.cpp", line, ENTRIES, set()) == []


def test_a_pattern_with_globs_applies_to_those_files_only() -> None:
    assert findings("docs/a.md", "a leg", ENTRIES, set()) == []
    assert len(findings("src/deep/a.cpp", "a leg", ENTRIES, set())) == 1


def test_a_kept_line_is_exempt_in_its_file_only() -> None:
    kept = kept_lines("# why\nsrc/a.cpp: old(mover);\n")
    assert findings("src/a.cpp", "  old(mover);", ENTRIES, kept) == []
    assert len(findings("src/b.cpp", "  old(mover);", ENTRIES, kept)) == 1


def test_a_malformed_list_is_refused() -> None:
    with pytest.raises(ValueError, match="is not PATTERN"):
        retired_words("just a word\n")


def test_the_list_of_the_repository_can_be_read() -> None:
    assert len(retired_words(LIST.read_text(encoding="utf-8"))) > 20
