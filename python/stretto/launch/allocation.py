# SPDX-License-Identifier: BSD-3-Clause
"""The nodes that a batch system or a host file gives to this process. Nothing is launched here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import UserError

_MAX_NAMES = 1 << 20
_NAME = re.compile(r"[\w.@%-]+")
_RANGE = re.compile(r"(?P<first>[0-9]{1,18})(?:-(?P<last>[0-9]{1,18}))?")
_AROUND_EQUALS = re.compile(r"\s*=\s*")  # Open MPI takes `slots = 4`, too


@dataclass(frozen=True)
class Allocation:
    """Nodes that ranks may run on.

    Attributes:
        system: Slurm, PBS, LSF or Flux, or the host file's name.
        nodes: The names of the nodes, each once, in the order of the system.
    """

    system: str
    nodes: tuple[str, ...]


def granted_nodes(hostfile: Path | None = None) -> Allocation | None:
    """The nodes in `hostfile`, else those of the batch system's job that this process is in.

    Returns:
        None: there is no host file, and this process is in no job.

    Raises:
        UserError: the file, or what the batch system says, is unreadable.
    """
    if hostfile is not None:
        return Allocation(f"the host file {hostfile}", _nodes_in(hostfile, "--hostfile"))
    for system, find in _SYSTEMS.items():
        nodes = find(os.environ)
        if nodes:
            return Allocation(system, nodes)
    return None


def expand_host_list(text: str) -> tuple[str, ...]:
    """The names of a host list of Slurm or Flux, such as `a[1-3,07],b`.

    Raises:
        UserError: it is no host list.
    """
    names = tuple(name for part in _split(text) for name in _expand(part))
    if not names:
        raise UserError(f"'{text[:60]}' is no list of hosts")
    return names


def _split(text: str) -> Iterable[str]:
    """The parts between the commas that are outside of brackets."""
    return (part for part in re.split(r",(?![^\[]*\])", text.strip()) if part)


def _expand(part: str) -> Iterable[str]:
    before, bracket, rest = part.partition("[")
    if not bracket:
        yield part
        return
    inside, bracket, after = rest.partition("]")
    for item in inside.split(","):
        found = _RANGE.fullmatch(item)
        if found is None or not bracket:
            raise UserError(f"'{part[:60]}' is no list of hosts")
        first, last = found["first"], found["last"] or found["first"]
        if int(last) < int(first):
            raise UserError(f"'{part[:60]}' has a range that ends before it begins")
        if int(last) - int(first) > _MAX_NAMES:
            raise UserError(f"'{part[:60]}' names more than {_MAX_NAMES} hosts")
        for number in range(int(first), int(last) + 1):
            for end in _expand(after):
                yield f"{before}{number:0{len(first)}}{end}"


def _slurm_nodes(env: Mapping[str, str]) -> tuple[str, ...]:
    listed = env.get("SLURM_JOB_NODELIST", env.get("SLURM_NODELIST", ""))
    return expand_host_list(listed) if "SLURM_JOB_ID" in env and listed else ()


def _pbs_nodes(env: Mapping[str, str]) -> tuple[str, ...]:
    return _nodes_in(Path(env["PBS_NODEFILE"]), "PBS_NODEFILE") if env.get("PBS_NODEFILE") else ()


def _lsf_nodes(env: Mapping[str, str]) -> tuple[str, ...]:
    if env.get("LSB_DJOB_HOSTFILE"):
        return _nodes_in(Path(env["LSB_DJOB_HOSTFILE"]), "LSB_DJOB_HOSTFILE")
    return tuple(Counter(env.get("LSB_MCPU_HOSTS", "").split()[::2]))


def _flux_nodes(env: Mapping[str, str]) -> tuple[str, ...]:
    flux = shutil.which("flux", path=env.get("PATH"))
    if flux is None or "FLUX_URI" not in env:
        return ()
    try:
        command = [flux, "getattr", "hostlist"]
        listed = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return expand_host_list(listed) if listed.strip() else ()


_SYSTEMS: Mapping[str, Callable[[Mapping[str, str]], tuple[str, ...]]] = {
    # A Slurm job may start a Flux instance on its nodes, whose environment has both.
    "Flux": _flux_nodes,
    "Slurm": _slurm_nodes,
    "PBS": _pbs_nodes,
    "LSF": _lsf_nodes,
}


def _nodes_in(path: Path, what: str) -> tuple[str, ...]:
    """The nodes of a host file, one a line: `node`, `node:4`, `node 4` or `node slots=4`."""
    try:
        if path.exists() and not (path.is_file() or path.is_fifo() or path.is_dir()):
            raise UserError(f"{what} {path}: cannot be read (is no file)")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is no text"
        raise UserError(f"{what} {path}: cannot be read ({reason})") from None
    names: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        words = _AROUND_EQUALS.sub("=", line.partition("#")[0]).split()
        for word in words[:1]:
            name = word.partition(":")[0]
            if name and not _NAME.fullmatch(name):
                raise UserError(f"{what} {path}:{number}: {name[:60]!r} is no name of a host")
            names[name] = None
        for word in words[1:]:
            if not (word.isdecimal() or word.partition("=")[1]):
                raise UserError(f"{what} {path}:{number}: {word[:60]!r} behind a host; write one name a line")
    if not names or "" in names:
        raise UserError(f"{what} {path}: has no nodes; write one name a line")
    return tuple(names)
