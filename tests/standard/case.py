# SPDX-License-Identifier: BSD-3-Clause
"""A case of the standard: C code that every rank executes, and what it calls."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

CALLED = re.compile(r"\bMPI_(\w+)\(")


@dataclass(frozen=True)
class Case:
    """`name` is a call of calls.txt and what is unusual about it. `fails`: MPI reports an error."""

    name: str
    code: str
    fails: bool = False

    @property
    def calls(self) -> set[str]:
        """The MPI functions that the code calls, without `MPI_`."""
        return set(CALLED.findall(self.code))

    @property
    def is_between_groups(self) -> bool:
        return re.search(r"\binter\b", self.code) is not None

    def with_large_counts(self, large: set[str]) -> Case:
        """The same with the functions for large counts; names that end with `_n` become `_c`."""
        code = CALLED.sub(lambda call: f"MPI_{call[1]}_c(" if f"{call[1]}_c" in large else call[0], self.code)
        name, colon, title = self.name.partition(":")
        return replace(self, name=f"{name}_c{colon}{title}", code=re.sub(r"\b(\w+)_n\b", r"\1_c", code))
