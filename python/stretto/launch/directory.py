# SPDX-License-Identifier: BSD-3-Clause
"""Output files and directories: overwritten only on request, never the input; directories not left empty."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
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
        UserError: as for `held_directory`.
    """
    with held_directory(directory, force, _remove_run):
        try:
            yield
        finally:
            for leftover in (directory / EMULATED, directory, directory.parent):
                with suppress(OSError):  # not empty: it holds other files
                    if leftover != directory.parent or leftover.name == "stretto-out":
                        leftover.rmdir()


def _remove_run(directory: Path) -> None:
    for name in FILES:
        (directory / name).unlink(missing_ok=True)
        (directory / EMULATED / name).unlink(missing_ok=True)


@contextmanager
def held_directory(directory: Path, force: bool, remove_old: Callable[[Path], None]) -> Iterator[None]:
    """Makes `directory`, or takes one that exists where `force` allows it, and has `remove_old` remove the
    files of an earlier run. Inside, no other stretto takes it.

    Raises:
        UserError: it exists, cannot be made or emptied, or another stretto writes to it.
    """
    another = "choose another with -o"
    with ExitStack() as held:
        try:
            directory.mkdir(parents=True, exist_ok=force)
            descriptor = os.open(directory, os.O_RDONLY)
            held.callback(os.close, descriptor)
            if not _locked(descriptor):
                raise UserError(f"{directory} is being written by another stretto: {another}")
            remove_old(directory)
        except FileExistsError:
            what = "is no directory" if force else "exists"
            instead = "" if force else ", or overwrite its files with --force"
            raise UserError(f"{directory} {what}: {another}{instead}") from None
        except OSError as error:
            raise UserError(f"{directory} cannot be written ({error.strerror}): {another}") from None
        yield


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # this file system has no locks
    return True


def check_output(file: Path, force: bool, inputs: Iterable[Path] = (), option: str = "-o") -> None:
    """Checks a file that is to be written, before the work whose result it gets.

    Args:
        file: The file.
        force: Whether the user allows to overwrite it.
        inputs: Files that the command reads; they are never overwritten.
        option: The option that names the file.

    Raises:
        UserError: it exists, is one of `inputs`, or cannot be written.
    """
    another = f"choose another with {option}"
    try:
        if file.is_dir():
            raise UserError(f"{file} is a directory: name a file in it with {option}")
        if any(_same(file, one) for one in inputs):
            raise UserError(f"{file} is read by this command and is not overwritten: {another}")
        if file.exists() and not file.is_file():
            raise UserError(f"{file} is no regular file: {another}")
        if file.exists() and not force:
            raise UserError(f"{file} exists: {another}, or overwrite it with --force")
        directory = file.absolute().parent
        if not directory.is_dir():
            raise UserError(f"{file} cannot be written (no directory {directory}): {another}")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(f"{file} cannot be written ({reason}): {another}") from None
    if not os.access(directory, os.W_OK):
        raise UserError(f"{file} cannot be written: {another}")


def files_in(source: Path) -> Iterator[Path]:
    """The files that a command may read of a source: itself, the traces of a directory, or else all of its
    files that are no pages.
    """
    if not source.is_dir():
        yield source
        return
    with suppress(OSError):
        files = [*source.iterdir()]
        traces = [file for file in files if file.suffix == ".trace"]
        yield from traces or (file for file in files if file.suffix != ".html")


def _same(file: Path, other: Path) -> bool:
    return file.exists() and other.exists() and file.samefile(other)
