# SPDX-License-Identifier: BSD-3-Clause
"""A program that stays answers line by line, and starts again after a refusal, an interruption and a fork."""

import multiprocessing
import signal
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from stretto.native import programs
from stretto.native.model import InvalidRequest, query_model
from stretto.native.mpi_families import Build
from validation.papers import line_program
from validation.papers.line_program import LineProgram, kept_model

FACTORS: dict[str, object] = {"kind": "collective-factors", "torus": None, "calls": []}
ECHO = """#!/bin/sh
# Answers each line with its own process id and the line; refuses `no`.
while read -r line; do
  if [ "$line" = no ]; then echo "echo: refused" >&2; exit 2; fi
  if [ "$line" = wait ]; then exec sleep 60; fi
  echo "$$ $line"
done
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LineProgram]:
    file = tmp_path / "echo"
    file.write_text(ECHO)
    file.chmod(0o755)
    monkeypatch.setattr(line_program, "native_program", lambda *_: file)
    running = LineProgram("echo")
    yield running
    running.end()


def answer(program: LineProgram, line: str) -> tuple[str, str]:
    done = program.run(line)
    assert done.returncode == 0, done.stderr
    pid, _, text = done.stdout.strip().partition(" ")
    return pid, text


def test_one_process_answers_many_documents(program: LineProgram) -> None:
    answers = [answer(program, line) for line in ("first", "second", "third")]
    assert [text for _, text in answers] == ["first", "second", "third"]
    assert len({pid for pid, _ in answers}) == 1


def test_after_a_refusal_the_next_document_is_answered(program: LineProgram) -> None:
    before = answer(program, "first")
    refused = program.run("no")
    assert (refused.returncode, refused.stderr, refused.stdout) == (2, "echo: refused\n", "")
    after = answer(program, "second")
    assert after[1] == "second" and after[0] != before[0]


class Interrupted(Exception):
    """What the handler of a signal raises."""


def interrupt(*_: object) -> None:
    raise Interrupted


def test_an_answer_that_nobody_waited_for_is_not_that_of_the_next_document(program: LineProgram) -> None:
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Interrupted):
            program.run("wait")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert answer(program, "second")[1] == "second"


def _in_child(program: LineProgram, connection: Connection) -> None:
    connection.send(answer(program, "child"))
    program.end()


def test_a_forked_process_has_a_program_of_its_own(program: LineProgram) -> None:
    pid, _ = answer(program, "parent")
    mine, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=_in_child, args=(program, theirs))
    child.start()
    child_pid, text = mine.recv()
    child.join()
    assert text == "child" and child_pid != pid
    assert answer(program, "again") == (pid, "again")


def test_a_kept_model_answers_and_refuses_as_one_that_is_started_for_a_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alone = query_model([FACTORS])
    started = []

    def native_program(name: str, build: Build) -> Path:
        started.append(name)
        return programs.native_program(name, build)

    monkeypatch.setattr(line_program, "native_program", native_program)
    with kept_model():
        assert query_model([FACTORS]) == query_model([FACTORS]) == alone
        assert len(started) == 1
        with pytest.raises(InvalidRequest, match="unknown 'graphs'"):
            query_model([{"kind": "graphs"}])
        assert query_model([FACTORS]) == alone
        assert len(started) == 2
