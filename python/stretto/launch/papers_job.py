# SPDX-License-Identifier: BSD-3-Clause
"""The probes that measure on a user's cluster what figures of the five papers show, as one job.

The page of the papers' claims is drawn next to them by `make papers MEASURED=FILE`, which knows the parts of
the run by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from stretto.errors import UserError

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
    """The command of each part, with the user's options for all of them, such as `-n 32`.

    Raises:
        UserError: An option names the output, which the job does itself.
    """
    if any(one.startswith("-o") or one.split("=")[0] == "--output" for one in options):
        raise UserError(f"-o: the job writes {DIRECTORY} and {ARCHIVE}; submit it where they shall lie")
    for name, words in PARTS.items():
        yield (*words, *options, "-o", f"{DIRECTORY}/{name}")
