# SPDX-License-Identifier: BSD-3-Clause
"""The rows of a samples file about what others took of the hosts' cores."""

from dataclasses import dataclass

from stretto.data.fields import LONGEST_TIME_S, Members

_MAX_CORES = 1_000_000


@dataclass(frozen=True)
class Load:
    """How busy others kept a host: `when` is `before` the first case, or `during` all of them.

    Attributes:
        cores: Of the host; `ranks` of the run share them.
        others_cores: Cores that others than the ranks kept busy, on average.
        stolen_cores: Cores that the hypervisor did not give.
        waiting_share: Share of the time in which a runnable task waited for a core (PSI).
        runnable: Tasks that ran or waited at the end.
    """

    host: str
    when: str
    seconds: float
    cores: int
    ranks: int
    others_cores: float
    stolen_cores: float
    waiting_share: float
    runnable: int


def load_of(row: Members, newer: bool = False) -> Load:
    """A row of a samples file; `newer`: of a newer minor version. UserError where it is wrong."""
    return Load(
        row.text("host", ""),
        row.text("when", allowed=() if newer else ("before", "during")),
        row.number("seconds", 0, LONGEST_TIME_S),
        row.integer("cores", 1, _MAX_CORES),
        row.integer("ranks", 1, _MAX_CORES),
        row.number("others_cores", 0, _MAX_CORES),
        row.number("stolen_cores", 0, _MAX_CORES, default=0),
        row.number("waiting_share", 0, LONGEST_TIME_S, default=0),
        row.integer("runnable", 0, default=0),
    )
