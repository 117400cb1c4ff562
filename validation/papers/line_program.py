# SPDX-License-Identifier: BSD-3-Clause
"""A native program that stays: each line of its input is a document, and each line of its output the answer.

Starting a program takes longer than most answers of it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from stretto.native.child import bound
from stretto.native.model import run_by
from stretto.native.programs import native_program


class LineProgram:
    """A program that starts with its first document, and again after it has ended."""

    def __init__(self, name: str, *options: str) -> None:
        self._name = name
        self._options = options
        self._started_by = 0
        self._process: subprocess.Popen[str] | None = None

    def run(self, document: str) -> subprocess.CompletedProcess[str]:
        """The answer to a document of one line, as if the program had run for it alone: with status 0, or
        with what it printed of an error, after which it has ended.

        Raises:
            UserError: The program is not built.
        """
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        try:
            print(document, file=process.stdin, flush=True)
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        except BaseException:  # an answer that nobody reads would be taken for that of the next document
            process.kill()
            self.end()
            raise
        if line.endswith("\n"):
            return subprocess.CompletedProcess(self._name, 0, line, "")
        errors = self.end()
        return subprocess.CompletedProcess(self._name, process.returncode, "", errors)

    def end(self) -> str:
        """Ends the program. Returns what it printed of errors."""
        process, self._process = self._process, None
        if process is None or self._started_by != os.getpid():
            return ""
        _, errors = process.communicate()
        return errors

    def _running(self) -> subprocess.Popen[str]:
        """The program of this process: after a fork, the child starts one of its own."""
        if self._process is None or self._started_by != os.getpid():
            command = [str(native_program(self._name, "none")), *self._options]
            self._started_by = os.getpid()
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                preexec_fn=bound(),
            )
        return self._process


@contextmanager
def kept_model() -> Iterator[None]:
    """Keeps `stretto-model` running for the requests inside: many, each of which follows from answers."""
    program = LineProgram("stretto-model", "--lines")
    try:
        with run_by(program.run):
            yield
    finally:
        program.end()
