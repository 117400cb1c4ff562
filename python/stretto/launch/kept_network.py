# SPDX-License-Identifier: BSD-3-Clause
"""What probes have measured of a place's network, kept in the user's cache for the commands of a week.

A place is what decides about its network: launcher and options, hosts, MPI and its variables. Each probe's
results are one `results.json`; without a cache directory that can be written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from stretto.data.results import ResultRow, Results, read_results, write_results
from stretto.data.sizes import said_age
from stretto.errors import UserError
from stretto.launch.application import Place
from stretto.launch.layout import spans_nodes
from stretto.native.library_rules import cluster_of_job

KEPT_FOR_S = 7 * 24 * 3600.0
_VARIABLES = ("FI_", "I_MPI_", "MPICH_", "MPIR_", "OMPI_", "PMIX_MCA_", "PRTE_MCA_", "UCX_")
"""Prefixes of the variables by which users choose how MPI's messages travel."""
_VERSION = "1"
"""Of the probes whose results are kept; a change of what they measure gets another one."""


class KeptNetwork:
    """The results of a place's probes.

    Attributes:
        directory: Where they are; None: nothing is kept.
        oldest_s: The age of the oldest result that was taken from there; None: none was.
    """

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory
        self.oldest_s: float | None = None
        self._measured: dict[str, tuple[ResultRow, ...]] = {}
        self._kept = False
        self._refused = directory is None

    @staticmethod
    def of(place: Place, variables: Mapping[str, str]) -> KeptNetwork:
        """That of a place whose ranks have these variables set."""
        root = cache_directory()
        if root is None:
            return KeptNetwork(None)
        text = "\n".join((_VERSION, *_place_lines(place, variables)))
        return KeptNetwork(root / "networks" / _digest(text))

    def rows(self, words: Sequence[str]) -> tuple[ResultRow, ...] | None:
        """What the probe with these words has measured; None where that is not known, or too old."""
        if (measured := self._measured.get(" ".join(words))) is not None:
            return measured
        file = self._file(words)
        if file is None:
            return None
        try:
            age_s = time.time() - file.stat().st_mtime
            if not 0 <= age_s < KEPT_FOR_S:
                return None
            rows = read_results(file).rows
        except (OSError, UserError):
            return None
        self.oldest_s = max(age_s, self.oldest_s or 0.0)
        return rows

    def keep(self, words: Sequence[str], rows: Sequence[ResultRow], lasting: bool = True) -> None:
        """Keeps what the probe with these words has measured: for this command, and where it is `lasting` and
        can be written for later ones.
        """
        self._measured[" ".join(words)] = tuple(rows)
        if not lasting:
            return
        file = self._file(words)
        if file is None:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_results(Results(tuple(rows), ({"probe": " ".join(words)},)), file)
        except (OSError, UserError):
            self._refused = True  # it is measured again next time
        else:
            self._kept = True

    def drop(self, words: Sequence[str]) -> None:
        """Removes the results of one probe, which is then run again."""
        self._measured.pop(" ".join(words), None)
        if (file := self._file(words)) is not None:
            with contextlib.suppress(OSError):
                file.unlink()

    def forget(self) -> None:
        """Removes all results of the place, which are then measured again."""
        self.oldest_s = None
        self._kept = False
        self._measured.clear()
        if self.directory is not None:
            shutil.rmtree(self.directory, ignore_errors=True)

    def origin(self) -> str:
        """Where the network of a prediction comes from, and what to do about an old one."""
        if self.oldest_s is not None:
            return f"network: measured {said_age(self.oldest_s)} ago; --measure-network measures it again"
        if self._kept:
            return "network: measured now, and kept for the predictions of a week"
        if self._refused:
            return "network: measured now; it cannot be kept (set XDG_CACHE_HOME to a directory of yours)"
        return "network: measured now on a busy machine, and not kept"

    def _file(self, words: Sequence[str]) -> Path | None:
        return self.directory / f"{_digest(' '.join(words))}.json" if self.directory is not None else None


def cache_directory() -> Path | None:
    """The user's cache of stretto; None without a home directory."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(given) if given.startswith("/") else Path.home() / ".cache") / "stretto"
    except RuntimeError:
        return None


def _place_lines(place: Place, variables: Mapping[str, str]) -> list[str]:
    application, mpi = place.application, place.mpi
    if application.ranks is None:
        words = place.line.replaced(("PROGRAM",))
        where = [platform.node(), *words, *map(_file_state, words)]
    elif application.network is None:
        layout = application.layout
        hosts = _file_state(str(layout.hostfile or ""))
        where = [platform.node(), str(layout), hosts, f"spans nodes: {spans_nodes(layout)}"]
    else:
        where = [platform.node(), str(application.network), str(application.network.hosts)]
    own = {name: value for name, value in os.environ.items() if name.startswith(_VARIABLES)}
    given = [f"{name}={value}" for name, value in sorted({**own, **variables}.items())]
    return [*cluster_of_job(), str(mpi.mpiexec), mpi.family, mpi.version, platform.release(), *where, *given]


def _file_state(word: str) -> str:
    """What changes with a file of the launcher, such as a list of hosts; empty where there is none."""
    try:
        state = Path(word.rpartition("=")[2]).stat()
    except (OSError, ValueError):
        return ""
    return f"{state.st_size} {state.st_mtime_ns}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
