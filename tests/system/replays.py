# SPDX-License-Identifier: BSD-3-Clause
"""The native replay if it is built, and the mark of tests that need it."""

from __future__ import annotations

from processes import has_program, needs_built

HAS_REPLAY = has_program("stretto-replay", "none")
needs_replay = needs_built(HAS_REPLAY, "STRETTO-REPLAY")
