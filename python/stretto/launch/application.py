# SPDX-License-Identifier: BSD-3-Clause
"""Runs of an MPI program that nobody changed: started by its own launcher, or by stretto on a substrate."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from stretto.errors import RunError, UserError
from stretto.launch.cluster import EmulatedNetwork, emulated_cluster
from stretto.launch.command_line import read_command
from stretto.launch.job import Job
from stretto.launch.layout import HERE, Layout, default_ranks, place
from stretto.launch.local import launch_here, local_session
from stretto.launch.mpi_command import MpiCommand, mpi_command, mpi_program
from stretto.launch.mpiexec import Launch
from stretto.launch.placement_check import check_placement
from stretto.launch.preload import command_launch, preload_variables, run_preloaded
from stretto.launch.preloadable import why_not_preloaded
from stretto.launch.selftest import self_test
from stretto.launch.session import Ended, Running, Session
from stretto.native.programs import native_program
from stretto.options.run import RunRequest
from stretto.options.substrate import ApplicationRequest

NO_VARIABLES: Mapping[str, str] = {}


@dataclass(frozen=True)
class Application:
    """A program and its ranks.

    Attributes:
        command: The program and its arguments; with its launcher where `ranks` is None.
        ranks: The ranks that stretto starts; None: `command` starts its own.
        network: Of emulated hosts; None: the ranks run on this machine.
        mpi: The MPI's name or path; None: that of the launcher or of the program.
        program: The word of `command` that is the program; None: it is found by the launcher's options.
        timeout_s: A run that takes longer is ended; None: no limit.
        layout: The nodes of ranks that stretto starts outside of an emulated network.
    """

    command: tuple[str, ...]
    ranks: int | None = None
    network: EmulatedNetwork | None = None
    mpi: str | None = None
    timeout_s: float | None = None
    layout: Layout = HERE
    program: str | None = None

    @staticmethod
    def of(request: ApplicationRequest | RunRequest) -> Application:
        """The application of a request. Raises UserError where there is no such network."""
        network = EmulatedNetwork(request.hosts, request.rate) if request.on == "emulated" else None
        ranks = request.launched_ranks
        if ranks is not None and request.on == "local" and not request.gave("ranks"):
            ranks = default_ranks(Layout.of(request), ranks)
        return Application(
            request.command,
            ranks,
            network,
            request.mpi,
            request.timeout,
            Layout.of(request),
            request.program if isinstance(request, ApplicationRequest) else None,
        )

    def running(self, command: tuple[str, ...], ranks: int) -> Application:
        """Another program in the same place, on `ranks` ranks unless a number was given."""
        return replace(self, command=command, ranks=self.ranks or ranks, program=None)


StartRanks = Callable[[Sequence[str], Mapping[str, str], int], Launch]
"""The launch line of a program and its arguments, with variables, on so many ranks."""


class Place:
    """Where an application runs, as often as it is asked to."""

    def __init__(
        self, application: Application, found: MpiCommand, session: Session, start: StartRanks | None = None
    ) -> None:
        self.application = application
        self.line = found.line
        self.mpi = found.mpi
        self._session = session
        self._start = start
        self._warned = False

    def launch(self, libraries: Sequence[str] = (), variables: Mapping[str, str] = NO_VARIABLES) -> Launch:
        """The launch line with these libraries preloaded, and these variables set, on every rank.

        Raises:
            UserError: a library is not built for the program's MPI.
        """
        if libraries:
            self._warn_of_programs()
        given = {**variables, **preload_variables(libraries, self.mpi)}
        if self._start is None:
            return command_launch(self.line, self.mpi, given)
        return self._start(self.line.words, given, self.application.ranks or 1)

    def launch_of(self, other: Application) -> Launch:
        """The launch line of another program with the same launcher, or the same ranks, in this place."""
        line = read_command(other.command, self.mpi, other.program)
        if self._start is None:
            return command_launch(line, self.mpi, {})
        return self._start(line.words, {}, other.ranks or 1)

    def _warn_of_programs(self) -> None:
        """Says once which programs get no library. They run all the same: they may start others."""
        words = dict.fromkeys(self.line.words[one.program] for one in self.line.programs)
        for word in () if self._warned else words:
            if why := why_not_preloaded(Path(shutil.which(word) or word)):
                print(f"stretto: warning: {word} {why}: nothing can be preloaded into it", file=sys.stderr)
        self._warned = True

    def launch_pair(self, program: Path, arguments: Sequence[str], variables: Mapping[str, str]) -> Launch:
        """The launch line of another program, with these variables on every rank: on two ranks, or on those
        of the application's own launcher. Wrappers of the program stay.

        Raises:
            UserError: the program of the command is not known, or nothing there starts ranks.
        """
        words = self.line.replaced((str(program), *arguments))
        if self._start is not None:
            return self._start(words, variables, 2)
        if self.line.launcher is None:
            raise UserError(f"{words[0]} is no launcher of ranks; its network is not known: give --profile")
        return command_launch(read_command(words, self.mpi, str(program)), self.mpi, variables)

    def temporary(self) -> AbstractContextManager[Path]:
        """A directory for what runs write, which is removed whatever ends this process."""
        return self._session.temporary()

    def run(self, launch: Launch) -> Ended:
        """Runs the program once, without input; the end of its output is in the result.

        Raises:
            RunError: the run took longer than the application's limit.
        """
        return self._ended(self._session.start(launch.argv, launch.env))

    def run_shown(self, launch: Launch) -> int:
        """Runs the program once, with this process's input and output; returns its exit status.

        Raises:
            RunError: as for `run`.
        """
        if self.application.ranks is None:
            return run_preloaded(launch, self.application.timeout_s)
        status = self._ended(self._session.start(launch.argv, launch.env, shown=True)).status
        return status if status >= 0 else 128 - status

    def _ended(self, running: Running) -> Ended:
        ended = self._session.wait(running, self.application.timeout_s)
        if ended.timed_out:
            raise RunError(f"the run was ended after --timeout {self.application.timeout_s or 0:g} s")
        return ended


@contextmanager
def placed(application: Application) -> Iterator[Place]:
    """Makes the place of an application; no process outlives it. An emulated network is tested first.

    Raises:
        UserError: there is no such program or MPI, or no permission to make namespaces.
        RunError: the emulated network failed its self-test.
    """
    command = application.command
    if application.ranks is None:
        found = mpi_command(command, application.mpi, application.program)
        with Session("none") as session:
            yield Place(application, found, session)
        return
    found = mpi_program(command, application.mpi, application.program)
    mpi = found.mpi

    def job(words: Sequence[str], variables: Mapping[str, str], ranks: int) -> Job:
        program = Path(shutil.which(words[0]) or words[0]).absolute()
        return Job(program, tuple(words[1:]), ranks, variables)

    if application.network is None:
        layout, nodes = application.layout, place(application.layout, application.ranks)
        with local_session(nodes) as session:
            if nodes is not None:
                check_placement(session, mpi, layout, nodes)
            yield Place(application, found, session, lambda *given: launch_here(mpi, job(*given), layout))
        return
    with emulated_cluster(application.network) as cluster:
        self_test(cluster, native_program("stretto-netload", "none"))
        yield Place(application, found, cluster.session, lambda *given: cluster.launch(mpi, job(*given)))


def run_application(application: Application, libraries: Sequence[str]) -> int:
    """Runs an application once with these libraries preloaded, and this process's input and output.

    Returns:
        The application's exit status; 128 + N when signal N ended it.

    Raises:
        UserError: as for `placed`, or a library is not built for the program's MPI.
        RunError: as for `placed`, or the run took longer than the application's limit.
    """
    with placed(application) as place:
        return place.run_shown(place.launch(libraries))
