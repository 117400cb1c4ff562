# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the tests: what `make test`, `.ci/run` and `make test-all` build and select.

`quick` is `make test`: the embedded MPI alone. `change` is what `.ci/run` runs before a change goes in:
also the examples, Open MPI 5, simulated ranks, the sanitizers and slow tests. It has the unit tests, which
know no MPI, in the sanitized build. `all` is `make test-all`, which runs before a release: also Open MPI 4.1,
all rank counts, random schedules under sanitizers, installations, batch systems and applications.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Build:
    """What a part needs of a build.

    Attributes:
        target: What scripts/native builds.
        labels: CTest's options that choose tests.
    """

    target: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """The builds of a part, and an expression over pytest's markers."""

    builds: Mapping[str, Build]
    marks: str


# CTest's labels are in tests/mpi/CMakeLists.txt: `quick` is an extract of the thorough tests.
CHANGE = Build("tests", ("-LE", "^thorough$"))
ALL = Build("tests", ("-LE", "^quick$"))
# Random schedules of the runtime, by builds that delay it at locks, atomics and calls of MPI.
SCHEDULES = Build("schedules", ("-L", "^schedules$"))
PARTS = {
    "quick": Part(
        {"mpich": Build("quick", ("-LE", "^(thorough|repeated|example)$"))},
        "not slow and not every_mpi and not matrix",
    ),
    "change": Part(
        {
            "mpich": Build("change", ("-LE", "^(thorough|unit)$")),
            "openmpi": CHANGE,
            "simulated": CHANGE,
            "sanitize": CHANGE,
        },
        "not matrix",
    ),
    "all": Part(
        {
            **dict.fromkeys(("mpich", "openmpi", "openmpi4", "simulated", "sanitize"), ALL),
            **dict.fromkeys(("delay-sanitize", "delay-thread-sanitize"), SCHEDULES),
        },
        "long or not long",
    ),
}
