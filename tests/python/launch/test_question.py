# SPDX-License-Identifier: BSD-3-Clause
"""When the question is asked of an emulated network, too."""

from typing import Any

import pytest

from stretto.launch import linux, question
from stretto.launch.question import emulated_request, missing_network
from stretto.options.declare import read
from stretto.options.probe import ProbeRequest


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux, "may_make_namespaces", lambda: True)
    monkeypatch.setattr(question.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(question, "spans_nodes", lambda layout: False)


def asked(**given: Any) -> ProbeRequest:
    return read(ProbeRequest, given)


@pytest.mark.usefixtures("root")
def test_one_node_is_followed_by_an_emulated_pair() -> None:
    second = emulated_request(asked(seed="7"))
    assert second is not None
    assert (second.on, second.ranks, second.seed, second.is_question) == ("emulated", 2, 7, True)
    assert second.native()["on"] == "emulated"
    assert second.native()["budget_s"] == 25


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("given", [{"on": "local"}, {"on": "emulated"}, {"ranks": "4"}])
def test_who_says_where_or_how_many_gets_that(given: dict[str, str]) -> None:
    assert emulated_request(asked(**given)) is None


@pytest.mark.usefixtures("root")
def test_several_nodes_are_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "spans_nodes", lambda layout: True)
    assert emulated_request(asked()) is None
    assert missing_network(asked()) == ""


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("missing", ["root", "tc"])
def test_without_the_right_or_the_tools_it_is_said_what_measures_a_network(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing == "root":
        monkeypatch.setattr(linux, "may_make_namespaces", lambda: False)
    else:
        monkeypatch.setattr(question.shutil, "which", lambda name: None if name == "tc" else f"/bin/{name}")
    assert emulated_request(asked()) is None
    assert "batch job of two nodes, or as root" in missing_network(asked())
