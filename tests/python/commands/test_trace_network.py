# SPDX-License-Identifier: BSD-3-Clause
"""The network of a trace's messages, and the words for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stretto.commands.trace_network import SLIDES, usual_cost


def test_without_a_profile_the_words_are_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user cannot know which cluster the slides had."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    cost, words = usual_cost([])
    assert cost == SLIDES
    assert f"{cost.latency_s * 1e6:.0f} us and {1e-6 / cost.gap_s_per_byte:.0f} MB/s" in words
