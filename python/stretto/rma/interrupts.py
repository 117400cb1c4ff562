# SPDX-License-Identifier: BSD-3-Clause
"""Signals in a wait of C: their handlers run in it, and what one raises, as Ctrl-C does, ends the wait."""

from __future__ import annotations

import atexit
import ctypes
import functools
import sys
import threading
from types import TracebackType
from typing import Any

from stretto.rma.kept import hold

_own_python = ctypes.PyDLL(None)
_raised: list[BaseException] = []


def see_signals(ffi: Any, library: Any) -> None:
    """Has C run the handlers of signals in its waits, where this is the thread in which Python runs them."""
    if threading.current_thread() is threading.main_thread():
        _see_signals(ffi, library)


def raised_in_wait() -> BaseException | None:
    """What a handler has raised in the wait that has just ended."""
    return _raised.pop() if _raised else None


def ends_the_program() -> bool:
    """Whether the program ends by an interrupt that nobody has caught: others may wait, so MPI cannot end."""
    last = getattr(sys, "last_type", None)
    return isinstance(last, type) and issubclass(last, KeyboardInterrupt)


@functools.cache
def _see_signals(ffi: Any, library: Any) -> None:
    check = ffi.callback("int(void*)", _run_handlers, error=1, onerror=_keep)
    hold(check)  # MPI may wait at the interpreter's end
    library.stretto_check_in_waits(check, ffi.NULL)
    atexit.register(_end_interrupted)


def _run_handlers(_: Any) -> int:
    _own_python.PyErr_CheckSignals()  # raises what a handler raises
    return 0


def _keep(_kind: type[BaseException], error: BaseException, _trace: TracebackType) -> None:
    _raised[:] = [error]


def _end_interrupted() -> None:
    """Ends all ranks before mpi4py finalizes MPI, which waits for them."""
    module = sys.modules.get("mpi4py.MPI")
    if module is not None and ends_the_program():
        sys.stdout.flush()
        sys.stderr.flush()
        module.COMM_WORLD.Abort(130)
