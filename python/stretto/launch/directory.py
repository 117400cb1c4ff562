# SPDX-License-Identifier: BSD-3-Clause
"""Output directories: made late, overwritten only on request, not left behind empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path

from stretto.data.run_directory import EMULATED, FILES
from stretto.errors import UserError


def default_directory(names: Sequence[str]) -> Path:
    """`stretto-out/<UTC>-<probe>`, with the suffix `-<N>` where two runs began in the same second."""
    what = names[0] if len(names) == 1 else "probes"
    stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    base = Path("stretto-out") / f"{stamp}-{what}"
    directory, number = base, 2
    while directory.exists():
        directory, number = base.with_name(f"{base.name}-{number}"), number + 1
    return directory


@contextmanager
def fresh_directory(directory: Path, force: bool) -> Iterator[None]:
    """Makes `directory`, and removes it on exit if it is empty. `force` removes an earlier run's files.

    Raises:
        UserError: it exists, or cannot be made.
    """
    if directory.exists() and not force:
        raise UserError(f"{directory} exists: choose another with -o, or overwrite its files with --force")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (directory / name).unlink(missing_ok=True)
            (directory / EMULATED / name).unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"{directory} cannot be written ({error.strerror}): choose another with -o") from None
    try:
        yield
    finally:
        for leftover in (directory / EMULATED, directory, directory.parent):
            with suppress(OSError):  # not empty: it holds other files
                if leftover != directory.parent or leftover.name == "stretto-out":
                    leftover.rmdir()
