# SPDX-License-Identifier: BSD-3-Clause
"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from stretto.options.declare import option, switch
from stretto.options.kinds import PathKind

JsonSwitch: TypeAlias = Annotated[bool, switch("--json", "Print one JSON document, and nothing else.")]
Machine: TypeAlias = Annotated[
    Path, option("--profile", PathKind("FILE|NAME"), "The machine: a profile.json, or `clic`, `t3e`.")
]
