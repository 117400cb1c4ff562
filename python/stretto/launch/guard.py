# SPDX-License-Identifier: BSD-3-Clause
"""The guard: the parent of a run's processes, which ensures that none outlives the run.

`session.py` starts it and talks to it over a socket; no other module imports it. It consists of two
processes. The outer one makes the requested namespaces, waits, and removes the run's directory. The inner
one starts and reaps everything else. In a PID namespace the inner one is process 1, so the kernel ends the
whole run when it ends. Without permission for such a namespace, one process does both. It adopts orphans
and ends all of its descendants by their ids.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from stretto.launch import linux
from stretto.native.child import end_with_parent

GRACE_S = 1.0
MESSAGE_BYTES = 1 << 20
_SEGMENTS = ("mpich_shm_", "osc_rdma.", "osc_sm.", "sm_segment.", "vader_segment.")
"""Beginnings of the names of MPICH's and Open MPI's segments; others may be data of a program."""
_HOST_NAMESPACES = ("net", "uts", "ipc", "mnt")


def main() -> None:
    """`guard FD ISOLATION PARENT`: serves the session at socket FD; ISOLATION: none, processes, cluster."""
    descriptor, isolation, parent = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    # stretto handles Ctrl-C and informs the guard by the socket. The handler for TERM only ends a sleep.
    for signum in (signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: None)
    end_with_parent(signal.SIGTERM, parent)
    channel = socket.socket(fileno=descriptor)
    channel.set_inheritable(False)  # a rank that held it open would hide the guard's end from the session
    try:
        directory = _run_directory()
    except OSError as error:
        channel.send(json.dumps({"failed": f"no temporary directory can be made: {error.strerror}"}).encode())
        return
    try:
        if isolation == "none":
            linux.become_subreaper()
            _Inner(channel, directory).serve()
        else:
            _guard_namespaces(channel, directory, isolation)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _run_directory() -> Path:
    """A private directory on a mount that allows execution, for the remote-shell agent."""
    for base in (tempfile.gettempdir(), "/run", "/dev/shm"):
        with contextlib.suppress(OSError):  # it is missing, full, or another user's
            if not os.statvfs(base).f_flag & os.ST_NOEXEC:
                return Path(tempfile.mkdtemp(prefix="stretto-", dir=base))
    return Path(tempfile.mkdtemp(prefix="stretto-"))


def _guard_namespaces(channel: socket.socket, directory: Path, isolation: str) -> None:
    flags = linux.CLONE_NEWPID | linux.CLONE_NEWNS
    if isolation == "cluster":
        flags |= linux.CLONE_NEWNET | linux.CLONE_NEWUTS | linux.CLONE_NEWIPC
    try:
        linux.unshare(flags)
    except OSError as error:
        channel.send(json.dumps({"refused": error.strerror}).encode())
        return
    inner = os.fork()
    if inner == 0:
        try:
            _become_init(channel, directory)
        except OSError as error:
            channel.send(json.dumps({"refused": error.strerror}).encode())
        finally:
            os._exit(0)  # the kernel ends every process of the namespace with process 1
    channel.close()
    _wait_for(inner)


def _become_init(channel: socket.socket, directory: Path) -> None:
    # The parent of process 1 lies outside of its namespace and reads as 0 from inside.
    end_with_parent(signal.SIGKILL, 0)
    linux.make_mounts_private()
    linux.mount_proc()
    linux.mount_shared_memory()
    _Inner(channel, directory).serve()


def _wait_for(inner: int) -> None:
    """Waits for the inner process; after a request to stop (the parent died), at most its grace period."""
    signal.signal(signal.SIGALRM, lambda *_: os.kill(inner, signal.SIGKILL))
    signal.signal(signal.SIGTERM, lambda *_: signal.setitimer(signal.ITIMER_REAL, 3 * GRACE_S))
    os.waitpid(inner, 0)


class _Inner:
    """Starts, signals and reaps processes on the session's requests; ends all when the session is gone."""

    def __init__(self, channel: socket.socket, directory: Path) -> None:
        self._channel = channel
        self._directory = directory
        self._spawned: set[int] = set()
        self._hosts: list[tuple[int, tuple[int, ...]]] = []
        self._temporary: list[str] = []
        self._stopping = False

    def serve(self) -> None:
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_read, False)
        os.set_blocking(wake_write, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, self._stop)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        selector = selectors.DefaultSelector()
        selector.register(self._channel, selectors.EVENT_READ)
        selector.register(wake_read, selectors.EVENT_READ)
        try:
            self._send({"ready": str(self._directory)})
            while not self._stopping:
                for key, _ in selector.select():
                    if key.fileobj is self._channel:
                        self._serve_request()
                    else:
                        os.read(wake_read, 4096)
                self._reap()
        except (BrokenPipeError, ConnectionResetError):
            pass  # the session is gone: end everything, as on its request
        finally:
            self._end_all()
            for directory in self._temporary:
                shutil.rmtree(directory, ignore_errors=True)

    def _stop(self, *_: object) -> None:
        self._stopping = True

    def _send(self, message: dict[str, Any]) -> None:
        self._channel.send(json.dumps(message).encode())

    def _serve_request(self) -> None:
        data, descriptors, _, _ = socket.recv_fds(self._channel, MESSAGE_BYTES, 4)
        if not data:
            self._stopping = True
            return
        request = json.loads(data)
        try:
            if "spawn" in request:
                self._send({"spawned": self._spawn(request, descriptors)})
            elif "host" in request:
                self._send({"pid": self._make_host(request)})
            elif "front" in request:
                linux.set_host_name(request["front"])
                linux.bind_file(Path(request["hosts_file"]), Path("/etc/hosts"))
                self._send({"front": request["front"]})
            elif "temporary" in request:
                self._temporary.append(request["temporary"])
            elif "signal" in request:
                self._signal(request["pid"], request["signal"])
        except OSError as error:
            self._send({"refused": error.strerror or str(error)})
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _signal(self, pid: int, signum: int) -> None:
        if pid in self._spawned:  # the id of a reaped process may belong to another one by now
            _kill_group(pid, signum)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid in self._spawned:
                self._spawned.discard(pid)
                self._send({"ended": pid, "status": os.waitstatus_to_exitcode(status)})

    def _spawn(self, request: dict[str, Any], descriptors: list[int]) -> int:
        """Forks the program into a session of its own, on a host if one is named."""
        guard, pid = os.getpid(), os.fork()
        if pid == 0:
            try:
                self._become(guard, request, descriptors)
            except OSError as error:
                os.write(2, f"cannot run {request['spawn'][0]}: {error.strerror}\n".encode())
            finally:
                os._exit(127)
        self._spawned.add(pid)
        return pid

    def _become(self, guard: int, request: dict[str, Any], descriptors: list[int]) -> None:
        os.setsid()
        end_with_parent(signal.SIGKILL, guard)
        for signum in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(signum, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        if len(descriptors) < 3:  # stdout, stderr, and stdin where the program has one
            descriptors.append(os.open("/dev/null", os.O_RDWR))
        for target, descriptor in zip((1, 2, 0), descriptors):
            os.dup2(descriptor, target)
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        environment = dict(os.environ)
        for name, value in request["env"].items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value
        if request["on_host"] is not None:
            holder, cpus = self._hosts[request["on_host"]]
            linux.enter_namespaces(holder, _HOST_NAMESPACES)
            if cpus:
                os.sched_setaffinity(0, cpus)
        os.chdir(request["cwd"])
        os.execvpe(request["spawn"][0], request["spawn"], environment)

    def _make_host(self, request: dict[str, Any]) -> int:
        """Starts a process that only keeps the namespaces of an emulated host open."""
        ready_read, ready_write = os.pipe()
        guard, pid = os.getpid(), os.fork()
        if pid == 0:
            os.close(ready_read)
            try:
                end_with_parent(signal.SIGKILL, guard)
                self._channel.close()
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                _hold_host(request["host"])
                os.write(ready_write, b"ok")
                os.close(ready_write)
                while True:
                    signal.pause()
            except OSError as error:
                os.write(ready_write, (error.strerror or str(error)).encode())
            finally:
                os._exit(1)
        os.close(ready_write)
        answer = os.read(ready_read, 4096)
        os.close(ready_read)
        if answer != b"ok":
            raise OSError(0, f"host {request['host']}: {answer.decode() or 'died'}")
        self._hosts.append((pid, tuple(request["cpus"])))
        return pid

    def _end_all(self) -> None:
        """Sends TERM to the started processes, waits while MPI's daemons clean up, then sends KILL to all.

        The shared memory that killed ranks leave is removed.
        """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        segments = linux.mapped_segments(linux.descendants(os.getpid()), _SEGMENTS)
        for pid in self._spawned:
            _kill_group(pid, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_S
        while True:
            late = time.monotonic() > deadline
            below = linux.descendants(os.getpid())
            if late or not self._spawned:
                for pid in below:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            self._reap_silently()
            if not linux.descendants(os.getpid()):
                break
            time.sleep(0.01)
        for segment in segments:
            with contextlib.suppress(OSError):  # MPI has removed it
                segment.unlink()

    def _reap_silently(self) -> None:
        try:
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                self._spawned.discard(pid)
        except ChildProcessError:
            self._spawned.clear()


def _kill_group(pid: int, signum: int) -> None:
    try:
        os.killpg(pid, signum)
    except ProcessLookupError:  # just forked, and not yet the leader of its session
        os.kill(pid, signum)


def _hold_host(name: str) -> None:
    linux.unshare(linux.CLONE_NEWNET | linux.CLONE_NEWUTS | linux.CLONE_NEWIPC | linux.CLONE_NEWNS)
    linux.make_mounts_private()
    linux.set_host_name(name)
    linux.mount_sys()
    linux.mount_shared_memory()
    tcp = Path("/proc/sys/net/ipv4")
    # TCP keeps its congestion window after idle time, as a cluster's network would.
    (tcp / "tcp_slow_start_after_idle").write_text("0\n", encoding="ascii")
    # The machine's default congestion control may delay each segment by a timer, which costs processor time.
    (tcp / "tcp_congestion_control").write_text("reno\n", encoding="ascii")
    ipv6 = Path("/proc/sys/net/ipv6/conf/all/disable_ipv6")
    if ipv6.exists():
        ipv6.write_text("1\n", encoding="ascii")
