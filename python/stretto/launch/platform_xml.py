# SPDX-License-Identifier: BSD-3-Clause
"""Reads the hosts of an untrusted SimGrid platform file.

SimGrid itself reads routes and units. This reader expands no entities and fetches nothing. It refuses
elements and attributes that could run a program, read another file or change the simulation's settings.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

from stretto.errors import UserError

_SIZE_LIMIT_BYTES = 64 << 20
_DEPTH_LIMIT = 64
_HOSTS_LIMIT = 1_000_000
_DOCTYPE = '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
_REQUIRED: dict[str, tuple[str, ...]] = {
    "host": ("id", "speed"),
    "cluster": ("id", "prefix", "suffix", "radical", "speed", "bw", "lat"),
    "cabinet": ("id", "prefix", "suffix", "radical", "speed", "bw", "lat"),
    "peer": ("id", "speed", "bw_in", "bw_out"),
    "link": ("id", "bandwidth"),
    "zone": ("id", "routing"),
}
_QUANTITY = re.compile(r"([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?)\s*[A-Za-z]*")
_POSITIVE = ("speed", "bw", "bandwidth", "limiter_link", "loopback_bw", "bb_bw", "bw_in", "bw_out")
_NOT_NEGATIVE = ("lat", "latency", "loopback_lat", "bb_lat")
_ELEMENTS = set(_REQUIRED) | {
    "platform", "prop", "router", "route", "link_ctn", "zoneRoute", "bypassRoute", "bypassZoneRoute",
    "host_link", "backbone",
}  # fmt: skip


@dataclass(frozen=True)
class HostGroup:
    """Hosts with equal properties, named `prefix`, a number of `numbers` (inclusive ranges), `suffix`.

    A single host has no numbers; its name is `prefix`.
    """

    prefix: str
    suffix: str = ""
    numbers: tuple[tuple[int, int], ...] = ()
    cores: int = 1

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.numbers) if self.numbers else 1

    def names(self) -> Iterator[str]:
        """The hosts' names, in the file's order."""
        if not self.numbers:
            return iter((self.prefix,))
        every = itertools.chain.from_iterable(range(first, last + 1) for first, last in self.numbers)
        return (f"{self.prefix}{number}{self.suffix}" for number in every)


def read_bytes(path: Path, limit_bytes: int = _SIZE_LIMIT_BYTES) -> bytes:
    """The content of a regular file of at most `limit_bytes`.

    Raises:
        UserError: the file is missing, unreadable, not a regular file, or larger.
    """
    try:
        if not path.is_file():
            raise UserError(f"{path}: no such file; `stretto list` names the platforms that are known")
        if path.stat().st_size > limit_bytes:
            raise UserError(f"{path}: larger than {limit_bytes >> 20} MiB; a platform is not so long")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from error


def read_hosts(path: Path, text: bytes) -> tuple[HostGroup, ...]:
    """The hosts of the platform `text`, which was read from `path`.

    Raises:
        UserError: malformed XML, entities, a refused element, no DOCTYPE, no hosts, or a root that is not a
            SimGrid platform of version 4. The message names file and line.
    """
    reader = _Reader(path)
    try:
        reader.parser.Parse(text, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        raise UserError(f"{path}:{error.lineno}: malformed XML: {reason}") from error
    if not reader.has_doctype:
        raise UserError(f"{path}: SimGrid wants the line {_DOCTYPE} before <platform>")
    if not reader.groups:
        raise UserError(f"{path}: a platform without hosts; add <cluster> or <host> elements")
    return tuple(reader.groups)


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.groups: list[HostGroup] = []
        self.has_doctype = False
        self._hosts = 0
        self._depth = 0
        self.parser = expat.ParserCreate()
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.EntityDeclHandler = self._entity
        self.parser.SkippedEntityHandler = self._entity  # an entity that an external DTD may declare
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _refuse(self, reason: str) -> UserError:
        return UserError(f"{self.path}:{self.parser.CurrentLineNumber}: {reason}")

    def _doctype(self, name: str, _system: str | None, _public: str | None, has_subset: bool) -> None:
        if has_subset:
            raise self._refuse("a DOCTYPE with declarations of its own is not taken; use " + _DOCTYPE)
        self.has_doctype = name == "platform"

    def _entity(self, *_: object) -> None:
        raise self._refuse("entities are not taken")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        if self._depth == 0:
            self._root(element, attributes)
        elif element not in _ELEMENTS:
            raise self._refuse(f"<{element}> is not taken: only hosts, links, zones and routes are")
        self._depth += 1
        if self._depth > _DEPTH_LIMIT:
            raise self._refuse(f"elements nested more than {_DEPTH_LIMIT} deep")
        for attribute in _REQUIRED.get(element, ()):
            if attribute not in attributes:
                raise self._refuse(f"<{element}> lacks its attribute {attribute}")
        self._check_files(element, attributes)
        self._check_quantities(element, attributes)
        if element in ("host", "peer", "cluster", "cabinet"):
            self._add(self._group(attributes))

    def _check_files(self, element: str, attributes: dict[str, str]) -> None:
        """Refuses the attributes that name a file of a host's or link's speed over time."""
        for attribute in attributes:
            if attribute.endswith("_file"):
                raise self._refuse(f"<{element}> {attribute} is not taken: a platform reads no other file")

    def _check_quantities(self, element: str, attributes: dict[str, str]) -> None:
        """Refuses negative latencies, which SimGrid accepts, and zero bandwidths, which make it crash."""
        for attribute in (*_POSITIVE, *_NOT_NEGATIVE):
            for text in attributes.get(attribute, "1").split(","):
                match = _QUANTITY.fullmatch(text.strip())
                if match is None or (attribute in _POSITIVE and float(match[1]) == 0):
                    given = f'<{element}> {attribute}="{attributes[attribute]}"'
                    raise self._refuse(f"{given} is not like 1.5GBps, 2us or 4Gf")

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _root(self, element: str, attributes: dict[str, str]) -> None:
        if element != "platform":
            raise self._refuse(f"not a SimGrid platform: its root is <{element}>, not <platform>")
        version = attributes.get("version", "none")
        if version not in ("4", "4.0", "4.1"):
            raise self._refuse(f"platform version {version} instead of 4.1; simgrid_update_xml may help")

    def _group(self, attributes: dict[str, str]) -> HostGroup:
        cores = attributes.get("core", "1")
        if not re.fullmatch(r"[1-9][0-9]{0,5}", cores):
            raise self._refuse(f'core="{cores}" is not a count of cores')
        names = [attributes.get(key, "") for key in ("id", "prefix", "suffix")]
        if any(re.search(r"[\s:]", name) for name in names):
            raise self._refuse("a host's name with white space or a colon, which a host file cannot hold")
        if "radical" not in attributes:
            return HostGroup(names[0], cores=int(cores))
        return HostGroup(names[1], names[2], self._numbers(attributes["radical"]), int(cores))

    def _numbers(self, radical: str) -> tuple[tuple[int, int], ...]:
        ranges = []
        for piece in radical.split(","):
            match = re.fullmatch(r"\s*([0-9]{1,9})(?:-([0-9]{1,9}))?\s*", piece)
            if match is None or int(match[2] or match[1]) < int(match[1]):
                raise self._refuse(f'radical="{radical}" is not like 0-15 or 0-7,16,20-31')
            ranges.append((int(match[1]), int(match[2] or match[1])))
        return tuple(ranges)

    def _add(self, group: HostGroup) -> None:
        self._hosts += len(group)
        if self._hosts > _HOSTS_LIMIT:
            raise self._refuse(f"more than {_HOSTS_LIMIT} hosts, which the simulator cannot hold")
        self.groups.append(group)
