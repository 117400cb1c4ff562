# SPDX-License-Identifier: BSD-3-Clause
"""Commands that tests run to their end, and whether what they need is built."""

import subprocess
from collections.abc import Sequence
from typing import Any

import pytest

from stretto.errors import UserError
from stretto.launch.mpi import find_mpi
from stretto.native.programs import Build, native_program


def completed(
    command: Sequence[object], check: bool = False, **more: Any
) -> subprocess.CompletedProcess[str]:
    """The ended process of a command with what it wrote; `more` as `subprocess.run` takes it."""
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=check, **more
    )


def has_program(name: str, build: Build | None = None) -> bool:
    """Whether a native program is built for this MPI, or by default for the MPI that commands find."""
    try:
        if build is None:
            mpi = find_mpi()
            native_program(name, mpi.family, mpi.mpiexec)
        else:
            native_program(name, build)
    except UserError:
        return False
    return True


def needs_built(built: object, what: str, not_done: str = "nothing here is tested") -> pytest.MarkDecorator:
    """Skips tests, and says so, where what they need is not built."""
    reason = f"{what} IS NOT BUILT: {not_done}; scripts/native mpich tests builds it"
    return pytest.mark.skipif(not built, reason=reason)
