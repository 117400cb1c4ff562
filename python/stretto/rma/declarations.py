# SPDX-License-Identifier: BSD-3-Clause
"""The C interface as its headers declare it, in the form that cffi reads: without includes, comments and
MPI's types.
"""

from __future__ import annotations

import re

HEADERS = (
    "stretto/c/runtime.h",
    "stretto/c/transfers.h",
    "stretto/c/teams.h",
    "stretto/c/updates.h",
    "stretto/kernels.h",
)


def declarations(header: str) -> str:
    """The types, functions and integer constants of a header."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    text = re.sub(r"^#ifdef (?:MPI_VERSION|__cplusplus)$.*?^#endif$", "", text, flags=re.M | re.S)
    constants = re.findall(r"^#define (\w+) \(?(-?\d+)\)?\s*$", text, flags=re.M)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    # cffi has no (-1).
    return "\n".join(f"#define {name} {value}" for name, value in constants) + "\n" + text
