# SPDX-License-Identifier: BSD-3-Clause
"""The rules by which stretto's libraries and probes act, asked from `stretto-model`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from stretto.native.model import Answer, query_model


@dataclass(frozen=True)
class ProgressThread:
    """Whether libstretto_progress.so starts a thread on each rank of a host, and how often it polls."""

    starts: bool
    interval_s: float


def progress_thread(ranks: int, cores: int, only_host: bool, interval: str) -> ProgressThread:
    """The rule for a host. `interval`: the value of STRETTO_POLL_INTERVAL_S, or nothing."""
    members = {"ranks": ranks, "cores": cores, "only_host": only_host, "interval": interval}
    answer = _answer("progress-thread", members)
    return ProgressThread(answer["starts"], answer["interval_s"])


def progress_variables(family: str) -> Mapping[str, str]:
    """The variables that libstretto_progress.so sets for an MPI, if the user has not."""
    variables: Mapping[str, str] = _progress_variables()[family]
    return variables


def no_thread_prefix() -> str:
    """So begins the line that the library writes to the standard error where it starts no thread."""
    prefix: str = _progress_variables()["no_thread"]
    return prefix


@cache
def _progress_variables() -> Answer:
    return _answer("progress-variables")


@cache
def probe_slices() -> int:
    """The slices of a probe's computation, between which it polls."""
    slices: int = _answer("probe-slices")["slices"]
    return slices


def profile_keys(
    library: str, cluster: tuple[str, str], ranks_per_node: int, hosts: Sequence[str], network: str
) -> tuple[str, ...]:
    """The keys under which a profile is installed.

    Args:
        library: The MPI library's version, as in the header of samples.
        cluster: Its name and partition; without a name the machine is its hosts.
        ranks_per_node: 0: not known.
        hosts: The host names of the ranks.
        network: The emulated network; empty on a real machine.
    """
    members = {"cluster": cluster[0], "partition": cluster[1], "ranks_per_node": ranks_per_node}
    return tuple(
        _answer("profile-keys", {"library": library, "hosts": list(hosts), "network": network, **members})[
            "keys"
        ]
    )


def cluster_of_job() -> tuple[str, str]:
    """The cluster and the partition of this process's job; empty where they are not known."""
    answer = _answer("cluster")
    return answer["name"], answer["partition"]


def _answer(kind: str, members: Mapping[str, object] | None = None) -> Answer:
    return query_model([{"kind": kind, **(members or {})}])[0]
