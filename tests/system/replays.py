# SPDX-License-Identifier: BSD-3-Clause
"""The native replay if it is built, and the mark of tests that need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.native.programs import native_program


def _program() -> Path | None:
    try:
        return native_program("stretto-replay", "none")
    except UserError:
        return None


NATIVE = _program()
needs_replay = pytest.mark.skipif(
    NATIVE is None,
    reason="STRETTO-REPLAY IS NOT BUILT: nothing here is tested; scripts/native mpich tests builds it",
)
