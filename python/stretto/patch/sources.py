# SPDX-License-Identifier: BSD-3-Clause
"""The sources of a traced program: which language, whether they are those that it was built from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from stretto.binaries.build_ids import Modules
from stretto.errors import UserError

C_SUFFIXES = frozenset({".c"})
CXX_SUFFIXES = frozenset({".cc", ".cpp", ".cxx", ".C", ".c++"})
FORTRAN_SUFFIXES = frozenset({".f", ".f90", ".f95", ".f03", ".f08", ".F", ".F90", ".F95", ".F03", ".F08"})


def readable_source(path: Path, module: str, modules: Modules) -> bytes:
    """The text of a source that a module was built from.

    Raises:
        UserError: it cannot be read, or may be another text than the one that was compiled.
    """
    if module in modules.rebuilt:
        raise UserError(f"{Path(module).name} was built again since it was recorded; record it again")
    if module in modules.newer:
        raise UserError(
            f"{Path(module).name} is newer than the trace, and without a build id; record it again"
        )
    if path.suffix not in C_SUFFIXES | CXX_SUFFIXES | FORTRAN_SUFFIXES:
        raise UserError("the site stands in a header, or in a source of another language")
    try:
        text = path.read_bytes()
        if path.stat().st_mtime > Path(module).stat().st_mtime:
            raise UserError(f"{path.name} is newer than {Path(module).name}; build and record it again")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    return text


def folder_of(paths: Sequence[Path]) -> Path:
    """The folder in which a patch of these files applies: the present one, if they are all below it."""
    here = Path.cwd().resolve()
    if all(here in one.parents for one in paths):
        return here
    return Path(os.path.commonpath([one.parent for one in paths]))
