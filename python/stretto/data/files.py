# SPDX-License-Identifier: BSD-3-Clause
"""Whole files in and out: text that is text, JSON that is JSON, known schemas, atomic writes.

Knows nothing of what stands in them.
"""

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from stretto.data.fields import Place
from stretto.errors import UserError

_SCHEMA = re.compile(r"stretto\.([a-z-]{1,32})/([0-9]{1,6})\.([0-9]{1,6})", re.ASCII)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


# One decoder for all lines: json.loads with options would make a new one for each.
_decoder = json.JSONDecoder(parse_constant=_refuse_constant)


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        UserError: The file is missing, no regular file, unreadable, or not UTF-8 text.
    """
    try:
        if path.is_dir():
            raise UserError(f"{path}: is a directory; name the file in it")
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: is not a regular file; name a file")
        data = path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; check the path") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Place(path, line=line).error("is not UTF-8 text; name a file that stretto wrote") from None


def decode_json(text: str, place: Place) -> Any:
    """A JSON value from `text`.

    Raises:
        UserError: It is not JSON (NaN and Infinity are not), or nested too deeply.
    """
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError as error:
        where = (
            f"column {error.colno}"
            if place.line is not None
            else f"line {error.lineno}, column {error.colno}"
        )
        raise place.error(
            f"is not JSON ({error.msg} at {where}); restore the file or make it again"
        ) from None
    except ValueError as error:
        reason = "a number with too many digits" if "digits" in str(error) else str(error)
        raise place.error(f"is not JSON ({reason}); restore the file or make it again") from None
    except RecursionError:
        raise place.error("is nested too deeply; restore the file or make it again") from None


def decode_line(text: str, place: Place) -> Any:
    """As `decode_json`, faster for the many lines that are one value without blanks around it."""
    try:
        value, end = _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return decode_json(text, place)  # for its message, or for the blanks before the value
    return value if end == len(text) else decode_json(text, place)


def read_json_object(path: Path) -> dict[str, Any]:
    """The one JSON object that a file holds. Raises UserError when it holds anything else."""
    value = decode_json(read_text(path), Place(path))
    if not isinstance(value, dict):
        raise Place(path).error("does not hold one JSON object; name a file that stretto wrote")
    return value


def minor_version(schema: object, name: str, major: int, place: Place) -> int:
    """The minor version of a `schema` member.

    Args:
        schema: What the file says.
        name: Which artefact is expected: `samples`, `results`, `profile`.
        major: The major version that is understood.
        place: Where the member stands.

    Raises:
        UserError: Another artefact, another major version, or no schema at all.
    """
    result = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if result is None:
        raise place.member("schema").error(f"is missing or malformed; expected stretto.{name}/{major}.x")
    if result[1] != name:
        raise place.member("schema").error(f"says stretto.{result[1]}; a stretto.{name} file is needed here")
    if int(result[2]) != major:
        known = f"this stretto reads {name}/{major}.x"
        mend = "update stretto" if int(result[2]) > major else "make the file again"
        raise place.member("schema").error(f"is {result[0]}, and {known}; {mend}")
    return int(result[3])


def artefact_kind(path: Path) -> str:
    """`samples`, `results` or `profile`, by what the file says of itself, not by its name.

    Raises:
        UserError: It is none of them, or cannot be read.
    """
    text = read_text(path)
    line, _, rest = text.partition("\n")
    value: Any = None
    with contextlib.suppress(UserError):
        value = decode_line(line, Place(path, line=1))
    if not isinstance(value, dict) and rest.strip():
        with contextlib.suppress(UserError):
            value = decode_json(text, Place(path))
    result = _SCHEMA.fullmatch(str(value.get("schema"))) if isinstance(value, dict) else None
    if result is None or result[1] not in ("samples", "results", "profile"):
        raise Place(path).error("is no samples, results or profile file; name one that stretto wrote")
    return result[1]


def write_atomically(path: Path, text: str | Iterable[str]) -> None:
    """Writes `text` (or its parts as they come) so that `path` holds either all of it or what it held before.

    Raises:
        UserError: The place cannot be written to.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        with contextlib.ExitStack() as unless_done:
            # Whatever comes between: an interruption, a part that cannot be made, a full disk.
            unless_done.callback(Path(temporary).unlink, missing_ok=True)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                os.fchmod(file.fileno(), 0o666 & ~_umask())  # mkstemp's files are private
                file.writelines([text] if isinstance(text, str) else text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            unless_done.pop_all()
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror}); choose another place") from None


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
