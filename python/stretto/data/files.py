# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes whole files: UTF-8 text, strict JSON, schema versions, atomic writes.

Independent of the content.
"""

import contextlib
import gzip
import io
import json
import os
import re
import tempfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from stretto.data.fields import Place
from stretto.errors import UserError

_GZIP = b"\x1f\x8b"
_MAX_UNPACKED = 4 << 30  # bytes
_SCHEMA = re.compile(r"stretto\.([a-z-]{1,32})/([0-9]{1,6})\.([0-9]{1,6})", re.ASCII)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


# One decoder serves all lines, because json.loads with options creates a new one for each call.
_decoder = json.JSONDecoder(parse_constant=_refuse_constant)


def read_text(path: Path) -> str:
    """The text of a file, unpacked where gzip has compressed it.

    Raises:
        UserError: The file is missing, no regular file, unreadable, damaged, or not UTF-8 text.
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
    if data.startswith(_GZIP):
        data = _unpacked(data, path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Place(path, line=line).error("is not UTF-8 text; name a file that stretto wrote") from None


def _unpacked(data: bytes, path: Path) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            text = packed.read(_MAX_UNPACKED + 1)
    except (OSError, EOFError, zlib.error):
        raise UserError(
            f"{path}: is damaged (not what gzip wrote); restore the file or make it again"
        ) from None
    if len(text) > _MAX_UNPACKED:
        raise UserError(f"{path}: holds more than {_MAX_UNPACKED >> 30} GiB unpacked; name a smaller run")
    return text


def compress(path: Path) -> Path:
    """Replaces a file by `path`.gz, which holds the same.

    Raises:
        UserError: The place cannot be written to.
    """
    packed = path.with_name(f"{path.name}.gz")
    try:
        _replace(packed, lambda file: file.write(gzip.compress(path.read_bytes(), mtime=0)))
        path.unlink()
    except OSError as error:
        raise UserError(f"{packed}: cannot be written ({error.strerror}); choose another place") from None
    return packed


def decode_json(text: str, place: Place) -> Any:
    """The JSON value of `text`.

    Raises:
        UserError: The text is not JSON, contains NaN or Infinity, or is nested too deeply.
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
    """Same as `decode_json`, but faster for a line with one value and no surrounding blanks."""
    try:
        value, end = _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return decode_json(text, place)  # gives the error message, or accepts leading blanks
    return value if end == len(text) else decode_json(text, place)


def read_json_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises UserError for any other content."""
    value = decode_json(read_text(path), Place(path))
    if not isinstance(value, dict):
        raise Place(path).error("does not hold one JSON object; name a file that stretto wrote")
    return value


def minor_version(schema: object, name: str, major: int, place: Place) -> int:
    """The minor version of a `schema` member.

    Args:
        schema: The member's text.
        name: The expected artefact: `samples`, `results` or `profile`.
        major: The supported major version.
        place: The place of the member.

    Raises:
        UserError: The artefact or the major version differs, or the text is no schema.
    """
    result = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if result is None:
        raise place.member("schema").error(f"is missing or malformed; expected stretto.{name}/{major}.x")
    if result[1] != name:
        raise place.member("schema").error(f"says stretto.{result[1]}; a stretto.{name} file is needed here")
    if int(result[2]) != major:
        known = f"this stretto reads {name}/{major}.x"
        correction = "update stretto" if int(result[2]) > major else "make the file again"
        raise place.member("schema").error(f"is {result[0]}, and {known}; {correction}")
    return int(result[3])


def artefact_kind(path: Path) -> str:
    """`samples`, `results` or `profile`, by the schema in the file.

    Raises:
        UserError: The file is none of them, or unreadable.
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
    """Writes `text`, or its parts, such that `path` always has the complete new content or the old one.

    Raises:
        UserError: The file cannot be written.
    """
    parts = [text] if isinstance(text, str) else text
    try:
        _replace(path, lambda file: file.writelines(part.encode("utf-8") for part in parts))
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror}); choose another place") from None


def _replace(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Has `write` fill a temporary file, which then takes the place of `path`."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    with contextlib.ExitStack() as unless_done:
        # Whatever comes between: an interruption, a part that cannot be made, a full disk.
        unless_done.callback(Path(temporary).unlink, missing_ok=True)
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o666 & ~_umask())  # mkstemp's files are private
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        unless_done.pop_all()


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
