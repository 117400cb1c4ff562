# SPDX-License-Identifier: BSD-3-Clause
"""The client of a guard: starts programs under it, and waits for them.

A session owns one guard process (`guard.py`). Leaving the `with` block ends every program that was started
in it.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from stretto.errors import INTERRUPTS, RunError, interrupt
from stretto.launch.guard import GRACE_S, MESSAGE_BYTES
from stretto.launch.job import OnTick

Isolation = Literal["none", "processes", "cluster"]

_STDIN, _STDOUT, _STDERR = range(3)
_TICK_S = 0.2
_TAIL_BYTES = 1 << 20


class Refused(Exception):
    """The kernel refused a request of the guard; the text is the kernel's reason."""


@dataclass(frozen=True)
class Ended:
    """The end of a program: `status` is its exit code, negative for a signal; `timed_out`: the time limit."""

    status: int
    timed_out: bool
    stdout: str
    stderr: str
    seconds: float


@contextmanager
def interruptible() -> Iterator[None]:
    """Makes INT, TERM and HUP raise `Interrupted` inside; has no effect outside of the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {signum: signal.signal(signum, interrupt) for signum in INTERRUPTS}
    try:
        yield
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler if handler is not None else signal.SIG_DFL)


class Running:
    """A started program; its output and end are filled in as they arrive."""

    def __init__(self, pid: int, stdout: _Tail | None = None, stderr: _Tail | None = None) -> None:
        self.pid = pid
        self.stdout = stdout
        self.stderr = stderr
        self.started = time.monotonic()
        self.status: int | None = None

    @property
    def tails(self) -> list[_Tail]:
        """The kept output; none where the program has this process's."""
        return [tail for tail in (self.stdout, self.stderr) if tail is not None]

    def close(self) -> None:
        for tail in self.tails:
            tail.drain()
            os.close(tail.descriptor)


class _Tail:
    """The last part of a pipe's output."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._bytes = b""
        os.set_blocking(descriptor, False)

    def drain(self) -> bool:
        """Reads the available bytes; returns False at the end of the pipe."""
        while True:
            try:
                piece = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return True
            if not piece:
                return False
            self._bytes = (self._bytes + piece)[-_TAIL_BYTES:]

    def text(self) -> str:
        return self._bytes.decode("utf-8", errors="replace")


class Session:
    """A guard and the programs under it; a context manager.

    Raises:
        Refused: on entry, when the kernel does not grant the namespaces of `isolation`.
    """

    def __init__(self, isolation: Isolation) -> None:
        self._isolation = isolation
        self._running: dict[int, Running] = {}
        self.directory = Path()
        """Private to the run, removed with it; for session files and the like."""

    def __enter__(self) -> Session:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        package_root = str(Path(__file__).resolve().parents[2])
        start = (
            f"import sys; sys.path.insert(0, {package_root!r}); import stretto.launch.guard as g; g.main()"
        )
        with theirs:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-c", start, str(theirs.fileno()), self._isolation, str(os.getpid())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        try:
            self.directory = Path(self._answer("ready")["ready"])
        except BaseException:
            self._end()
            raise
        return self

    @property
    def guard_pid(self) -> int:
        """The id of the guard, the ancestor of every process in this session."""
        return self._guard.pid

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        self._channel.close()  # the guard then ends every process and itself
        try:
            self._guard.wait(timeout=4 * GRACE_S)
        except subprocess.TimeoutExpired:
            self._guard.kill()
            self._guard.wait()
        if self.directory != Path():  # the guard has removed it, unless it was killed
            shutil.rmtree(self.directory, ignore_errors=True)
        for running in self._running.values():
            running.close()
        self._running.clear()

    def query(
        self, request: Mapping[str, Any], answer: str | None = None, fds: Sequence[int] = ()
    ) -> dict[str, Any]:
        """Sends a request to the guard; waits for the answer with the member `answer`, if one is named.

        Raises:
            Refused: the kernel refused it; the text is the reason.
            RunError: the guard has ended.
        """
        try:
            socket.send_fds(self._channel, [json.dumps(request).encode()], list(fds))
        except OSError as error:
            raise RunError("the process that guards the run was killed") from error
        return {} if answer is None else self._answer(answer)

    def _answer(self, member: str) -> dict[str, Any]:
        while True:
            message = self._receive()
            if "refused" in message:
                raise Refused(message["refused"])
            if "failed" in message:
                raise RunError(message["failed"])
            if member in message:
                return message

    def _receive(self) -> dict[str, Any]:
        """Receives one message of the guard, and stores the status of a program that has ended."""
        try:
            data = self._channel.recv(MESSAGE_BYTES)
        except ConnectionResetError:
            data = b""
        if not data:
            raise RunError("the process that guards the run was killed")
        message: dict[str, Any] = json.loads(data)
        if "ended" in message and message["ended"] in self._running:
            self._running[message["ended"]].status = message["status"]
        return message

    def start(
        self,
        argv: Sequence[str],
        env: Mapping[str, str | None] | None = None,
        on_host: int | None = None,
        shown: bool = False,
    ) -> Running:
        """Starts a program in its own session; `env` changes the caller's environment (None removes).

        `shown`: the program has this process's output, and its input unless that is a terminal, which a
        program of another session cannot read. Otherwise it has no input, and its output is kept.
        """
        request = {"spawn": list(argv), "env": dict(env or {}), "on_host": on_host, "cwd": os.getcwd()}
        if shown:
            sys.stdout.flush()
            sys.stderr.flush()
            own = [_STDOUT, _STDERR] if os.isatty(_STDIN) else [_STDOUT, _STDERR, _STDIN]
            pid = self.query(request, "spawned", own)["spawned"]
            self._running[pid] = Running(pid)
            return self._running[pid]
        out_read, out_write = os.pipe()
        err_read, err_write = os.pipe()
        try:
            pid = self.query(request, "spawned", [out_write, err_write])["spawned"]
        finally:
            os.close(out_write)
            os.close(err_write)
        self._running[pid] = Running(pid, _Tail(out_read), _Tail(err_read))
        return self._running[pid]

    def wait(self, running: Running, timeout_s: float | None = None, on_tick: OnTick | None = None) -> Ended:
        """Waits for the end; after `timeout_s` the program gets TERM, then KILL after a grace period."""
        timed_out = False
        deadline = time.monotonic() + timeout_s if timeout_s is not None else float("inf")
        next_tick = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._channel, selectors.EVENT_READ)
            for tail in running.tails:
                selector.register(tail.descriptor, selectors.EVENT_READ, tail)
            while running.status is None:
                for key, _ in selector.select(_TICK_S):
                    if key.data is None:
                        self._receive()
                    elif not key.data.drain():
                        selector.unregister(key.fd)
                now = time.monotonic()
                if on_tick is not None and now >= next_tick:
                    on_tick()
                    next_tick = now + _TICK_S
                if now > deadline:
                    self.signal(running, signal.SIGKILL if timed_out else signal.SIGTERM)
                    timed_out, deadline = True, now + GRACE_S
        return self._ended(running, timed_out)

    def _ended(self, running: Running, timed_out: bool) -> Ended:
        assert running.status is not None
        seconds = time.monotonic() - running.started
        running.close()
        del self._running[running.pid]
        stdout, stderr = (tail.text() if tail else "" for tail in (running.stdout, running.stderr))
        return Ended(running.status, timed_out, stdout, stderr, seconds)

    def run(self, argv: Sequence[str], on_host: int | None = None, timeout_s: float | None = None) -> Ended:
        """Starts a program and waits for its end."""
        return self.wait(self.start(argv, on_host=on_host), timeout_s)

    @contextmanager
    def temporary(self) -> Iterator[Path]:
        """A directory for large files, which is removed whatever ends this process."""
        with TemporaryDirectory(prefix="stretto-") as made:
            self.query({"temporary": made})
            yield Path(made)

    def signal(self, running: Running, signum: signal.Signals) -> None:
        """Signals a program's process group, unless it has ended."""
        self.query({"signal": signum, "pid": running.pid})
