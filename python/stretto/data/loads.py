# SPDX-License-Identifier: BSD-3-Clause
"""The rows of a samples file about what others took of the hosts' cores."""

from dataclasses import dataclass
from typing import Annotated

from stretto.data.sample_rows import Seconds, Text
from stretto.data.typed import Absent, OneOf, Within

_MAX_CORES = 1_000_000
Count = Annotated[int, Within(1, _MAX_CORES)]
Cores = Annotated[float, Within(0, _MAX_CORES)]


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

    host: Text
    when: Annotated[str, OneOf(("before", "during"))]
    seconds: Seconds
    cores: Count
    ranks: Count
    others_cores: Cores
    stolen_cores: Annotated[Cores, Absent(0.0)]
    waiting_share: Annotated[Seconds, Absent(0.0)]
    runnable: Annotated[int, Absent(0)]
