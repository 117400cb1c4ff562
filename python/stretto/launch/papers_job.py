# SPDX-License-Identifier: BSD-3-Clause
"""The probes that measure on a user's cluster what figures of the five papers show, as one job.

The page of the papers' claims is drawn next to them by `make papers MEASURED=FILE`, which knows the parts of
the run by name.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from stretto.errors import UserError
from stretto.options.declare import declared
from stretto.options.kinds import Switch
from stretto.options.probe import ProbeRequest

DIRECTORY = "papers-run"
ARCHIVE = f"{DIRECTORY}.tar.gz"

_FT_SWEEPS = ("pure-communication", "constant-flops", "few-large", "many-small", "contention")
_SPMV_SWEEPS = ("pure-communication", "constant-flops", "few-large", "contention")

PARTS: Mapping[str, Sequence[str]] = {
    "transfers": ("probe", "latency", "bandwidth", "overlap", "aggregation"),
    **{f"ft-{sweep}": ("probe", "ft", "--sweep", sweep) for sweep in _FT_SWEEPS},
    **{f"spmv-{sweep}": ("probe", "spmv", "--sweep", sweep) for sweep in _SPMV_SWEEPS},
    "collective": ("probe", "collective", "--algorithm", "library,reference"),
}
"""The commands of the parts, by the name of the part's directory."""


def commands(options: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The command of each part, with the user's options, such as `-n 32`.

    An option that is for some probes, such as `--rows` for `ft`, is given to the parts with these probes.

    Raises:
        UserError: An option names the output, which the job does itself.
    """
    if any(one.startswith("-o") or one.split("=")[0] == "--output" for one in options):
        raise UserError(f"-o: the job writes {DIRECTORY} and {ARCHIVE}; submit it where they shall lie")
    asked = list(_by_probes(options))
    known = {probe for words in PARTS.values() for probe in _probes(words)}
    for name, words in PARTS.items():
        mine = [
            word
            for probes, given in asked
            for word in given
            if not probes & known or probes & _probes(words)  # what no part knows is refused by the first
        ]
        yield (*words, *mine, "-o", f"{DIRECTORY}/{name}")


def _probes(words: Sequence[str]) -> set[str]:
    """The probes that a command names."""
    return set(itertools.takewhile(lambda one: not one.startswith("-"), words[1:]))


def _by_probes(options: Sequence[str]) -> Iterator[tuple[set[str], Sequence[str]]]:
    """Each option with its value, and the probes that it is for; none: for all."""
    named = {flag: one.option for one in declared(ProbeRequest) for flag in one.option.flags}
    at = 0
    while at < len(options):
        option = named.get(options[at].partition("=")[0])
        has_value = option is not None and "=" not in options[at] and not isinstance(option.kind, Switch)
        after = at + (2 if has_value else 1)
        yield set(option.probes if option else ()), options[at:after]
        at = after
