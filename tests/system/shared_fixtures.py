# SPDX-License-Identifier: BSD-3-Clause
"""What tests share that several workers of pytest run: it is made once, by the first worker that needs it."""

import fcntl
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

Made = TypeVar("Made")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Made]) -> Made:
    """The result of `make(DIRECTORY)`, for all workers of this run. Tests may only read what it made.

    Args:
        factory: Pytest's fixture of temporary directories.
        name: Of the directory; the same `name` is the same result.
        make: Is called by one worker, and again by the next one where it failed; the result can be pickled.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # each worker has a directory of its own below that of the run
    result = base / f"{name}.pickle"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            directory = factory.mktemp(name)
            result.write_bytes(pickle.dumps(make(directory)))
        return pickle.loads(result.read_bytes())  # type: ignore[no-any-return]
