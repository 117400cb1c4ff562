# SPDX-License-Identifier: BSD-3-Clause
"""Two emulated hosts after a successful self-test, and runs of programs on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench.harness.builds import build, mpiexec_of
from bench.harness.kernels import kernel_arguments
from bench.harness.runner import Context
from stretto.data.samples import Samples, read_samples
from stretto.errors import RunError
from stretto.launch.cluster import Cluster, EmulatedNetwork, emulated_cluster
from stretto.launch.job import Job, Outcome
from stretto.launch.local import outcome
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.launch.probing import probe_arguments
from stretto.launch.selftest import self_test
from stretto.native.programs import native_program

_SUBSTRATE = "substrate.jsonl"


@dataclass(frozen=True)
class EmulatedPair:
    """The cluster, the MPI under test, and the number of rounds of a probe."""

    cluster: Cluster
    mpi: MpiLibrary
    programs: Path
    output: Path
    rounds: int

    def with_rounds(self, rounds: int) -> EmulatedPair:
        """The same pair with another number of rounds."""
        return replace(self, rounds=rounds)

    def file(self, name: str) -> Path:
        """The samples of a run."""
        return self.output / f"{name}-{self.mpi.family}.jsonl"

    def probe(self, name: str, *words: str, env: Mapping[str, str] | None = None) -> Samples:
        """The samples of one run of stretto-probe with these words of `stretto probe`."""
        options = [*words, "--on", "emulated", "--rounds", str(self.rounds)]
        substrate = {"network": str(self.cluster.network), "preamble": str(self.output / _SUBSTRATE)}
        return self._samples(
            "stretto-probe", name, probe_arguments(options, self.file(name), **substrate), env
        )

    def run(
        self, program: str, name: str, arguments: Sequence[str], env: Mapping[str, str] | None = None
    ) -> Samples:
        """The samples of one run of a program of the bench on both hosts.

        Its arguments are the file of the samples and `arguments`.
        """
        return self._samples(program, name, (str(self.file(name)), *arguments), env)

    def _samples(
        self, program: str, name: str, arguments: Sequence[str], env: Mapping[str, str] | None
    ) -> Samples:
        self.file(name).unlink(missing_ok=True)
        ended = self.cluster.run(self.mpi, Job(self.programs / program, tuple(arguments), 2, env or {}))
        if ended.status != 0:
            raise RunError(f"{program} ended with {ended.status}:\n{ended.stderr[-2000:]}")
        return read_samples(self.file(name))

    def kernel(self, words: Sequence[str]) -> Outcome:
        """One run of stretto-run on both hosts, with these words of `stretto run`."""
        program = native_program("stretto-run", self.mpi.family, self.mpi.mpiexec)
        return outcome(self.cluster.run(self.mpi, Job(program, kernel_arguments(words), 2)))


@contextmanager
def emulated_pair(context: Context, rate: str, rounds: int, *targets: str) -> Iterator[EmulatedPair]:
    """A pair at `rate`, for programs of the build and these additional targets.

    Raises:
        UserError: The user is not root.
        RunError: The machine is too busy for an emulated network.
    """
    programs = build(context.build, "stretto_programs", *targets)
    mpi = find_mpi(mpiexec_of(context.build))
    with emulated_cluster(EmulatedNetwork(2, rate)) as cluster:
        result = self_test(cluster, native_program("stretto-netload", "none"))
        (context.output / _SUBSTRATE).write_text(result.sample_lines(), encoding="utf-8")
        yield EmulatedPair(cluster, mpi, programs, context.output, rounds)
