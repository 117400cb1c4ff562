# SPDX-License-Identifier: BSD-3-Clause
"""The Linux calls that Python 3.10 lacks, and functions that read /proc. It makes no decisions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

_MS_NOSUID = 0x2
_MS_NODEV = 0x4
_MS_BIND = 0x1000
_MS_REC = 0x4000
_MS_PRIVATE = 0x40000
_MS_SLAVE = 0x80000
_PR_SET_CHILD_SUBREAPER = 36
_CAP_SYS_ADMIN = 21
_SEGMENTS = Path("/dev/shm")

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Moves this process to new namespaces; a new PID namespace applies to its next child."""
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def enter_namespaces(pid: int, names: tuple[str, ...]) -> None:
    """Joins the namespaces `names` (as under /proc/PID/ns) of the process `pid`."""
    files = [os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in names]
    for name, file in zip(names, files):
        _check(_libc.setns(ctypes.c_int(file), ctypes.c_int(0)), f"setns {name}")
        os.close(file)


def set_host_name(name: str) -> None:
    """Sets the host name of this UTS namespace."""
    encoded = name.encode()
    _check(_libc.sethostname(encoded, ctypes.c_size_t(len(encoded))), "sethostname")


def _mount(source: str, target: str, kind: str, flags: int) -> None:
    result = _libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), None)
    _check(result, f"mount {target}")


def make_mounts_private() -> None:
    """Keeps this namespace's mounts private; mounts of the machine still propagate into it."""
    _mount("none", "/", "none", _MS_REC | _MS_SLAVE)


def mount_proc() -> None:
    """Mounts the /proc of this PID namespace."""
    _mount("none", "/proc", "none", _MS_REC | _MS_PRIVATE)
    _mount("proc", "/proc", "proc", 0)


def mount_shared_memory() -> None:
    """Mounts a private /dev/shm: segments that killed ranks leave disappear with the namespace."""
    _mount("tmpfs", "/dev/shm", "tmpfs", _MS_NOSUID | _MS_NODEV)


def mount_sys() -> None:
    """Mounts the /sys of this network namespace: MPI libraries list network devices in /sys/class/net."""
    _mount("sysfs", "/sys", "sysfs", 0)


def bind_file(source: Path, target: Path) -> None:
    """Makes `target` show the content of `source` in this mount namespace."""
    _mount(str(source), str(target), "none", _MS_BIND)


def become_subreaper() -> None:
    """Makes this process a subreaper: double-forked descendants become its children."""
    _check(_libc.prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1), 0, 0, 0), "prctl")


def may_make_namespaces() -> bool:
    """Whether this process holds CAP_SYS_ADMIN, which every namespace but the user namespace needs."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> _CAP_SYS_ADMIN & 1)
    return False


def descendants(root: int) -> list[int]:
    """The ids of all processes below `root`, with zombies, which still have to be reaped."""
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            parent = int(stat.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry))
    result: list[int] = []
    todo = [root]
    while todo:
        below = children.get(todo.pop(), [])
        result += below
        todo += below
    return result


def mapped_segments(pids: Iterable[int], names: tuple[str, ...]) -> set[Path]:
    """The segments in /dev/shm that these processes map, of names that begin so."""
    found = set()
    for pid in pids:
        try:
            maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        files = (Path(line.split(maxsplit=5)[-1]) for line in maps.splitlines())
        found |= {file for file in files if file.parent == _SEGMENTS and file.name.startswith(names)}
    return found
