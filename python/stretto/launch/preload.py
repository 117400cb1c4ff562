# SPDX-License-Identifier: BSD-3-Clause
"""Preloads stretto's libraries, in the build for the program's MPI, into an MPI program."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence

from stretto.errors import Interrupted, RunError, UserError
from stretto.launch.command_line import CommandLine
from stretto.launch.foreground import wait_passing_interrupts
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch, rank_variables
from stretto.native.child import bound
from stretto.native.programs import native_library
from stretto.options.launchers import BATCH_LAUNCHERS, launcher_name

_GRACE_S = 30.0  # as Slurm's KillWait
_SEPARATES = re.compile(r"[ :$]")  # names in LD_PRELOAD; it has no way to quote one


def preload_variables(libraries: Sequence[str], mpi: MpiLibrary) -> dict[str, str]:
    """The variables that preload each `libstretto_LIBRARY.so` of this MPI; none for no library.

    Raises:
        UserError: a library is not built for that MPI, or LD_PRELOAD cannot name it.
    """
    if not libraries:
        return {}
    paths = [str(native_library(_file_of(name, mpi), mpi.family, mpi.mpiexec)) for name in libraries]
    for path in paths:
        if _SEPARATES.search(path):
            raise UserError(
                f"{path}: the loader cannot preload a library whose path has a blank, a ':' or a '$'; "
                "install stretto in another place"
            )
    before = os.environ.get("LD_PRELOAD", "")
    return {"LD_PRELOAD": ":".join([*paths, before] if before else paths)}


def _file_of(library: str, mpi: MpiLibrary) -> str:
    return f"libstretto_{library}{'_abi' if mpi.standard_abi else ''}.so"


def command_launch(line: CommandLine, mpi: MpiLibrary, variables: Mapping[str, str]) -> Launch:
    """The command with these variables on every rank.

    Raises:
        UserError: it is srun's, and a word of it is not understood.
    """
    if line.launcher is None:
        return Launch(line.words, variables)
    if launcher_name(line.words[line.launcher]) in BATCH_LAUNCHERS:
        return batch_launch(line, variables)
    # The launcher is not an MPI program: it only passes the variables on. Open MPI 4's -x is for one program.
    return Launch(line.inserted(rank_variables(mpi, variables), each=mpi.family == "openmpi"), {})


def batch_launch(line: CommandLine, variables: Mapping[str, str]) -> Launch:
    """A launch line of srun, flux, jsrun or aprun with these variables on every rank.

    Raises:
        UserError: as for `command_launch`.
    """
    launcher = launcher_name(line.words[line.launcher or 0])
    pairs = [f"{name}={value}" for name, value in variables.items()]
    if not pairs:
        return Launch(line.words, {})
    if launcher == "srun":
        return _srun_launch(line, variables)
    if launcher == "flux":  # flux run OPTIONS PROGRAM
        return Launch(line.inserted([f"--env={pair}" for pair in pairs]), {})
    flag = "-E" if launcher == "jsrun" else "-e"
    return Launch(line.inserted([word for pair in pairs for word in (flag, pair)]), {})


def _srun_launch(line: CommandLine, variables: Mapping[str, str]) -> Launch:
    """A comma ends a value for srun: such a variable is in its environment, and --export names it alone.

    Raises:
        UserError: LD_PRELOAD has a comma; srun itself must not load what the ranks do.
    """
    apart = {name: value for name, value in variables.items() if "," in value}
    if "LD_PRELOAD" in apart:
        raise UserError(f"LD_PRELOAD={apart['LD_PRELOAD']}: srun's --export cannot pass a value with a comma")
    pairs = [name if name in apart else f"{name}={value}" for name, value in variables.items()]
    return Launch(_exported(line, pairs), apart)


def _exported(line: CommandLine, pairs: Sequence[str]) -> tuple[str, ...]:
    """The srun command that exports `pairs`, too. The last --export counts, so the user's is extended, in
    each program of a heterogeneous step.
    """
    words = list(line.words)
    added = ",".join(pairs)
    for (begin, _), program in reversed([*zip(line.sections, line.checked().programs, strict=True)]):
        given = [index for index in range(begin, program.begin) if _is_export(words[index])]
        if not given:
            words.insert(begin, f"--export={os.environ.get('SLURM_EXPORT_ENV', 'ALL')},{added}")
        elif "=" in words[given[-1]]:
            words[given[-1]] += f",{added}"
        else:
            words[given[-1] + 1] += f",{added}"
    return tuple(words)


def _is_export(word: str) -> bool:
    return word.partition("=")[0] == "--export"


def run_preloaded(run: Launch, timeout_s: float | None = None) -> int:
    """Runs the program with this process's input and output.

    The kernel ends the program when this process ends, so that none is left behind.

    Returns:
        The exit status; 128 + N when signal N ended the program.

    Raises:
        RunError: it took longer than `timeout_s`.
    """
    try:
        process = subprocess.Popen(run.argv, env=run.environment(), preexec_fn=bound())
    except OSError as error:
        raise UserError(f"{run.argv[0]}: cannot be run ({error.strerror})") from None
    try:
        return wait_passing_interrupts(process, timeout_s)
    except subprocess.TimeoutExpired:
        _end(process)
        raise RunError(f"the run was ended after --timeout {timeout_s:g} s") from None
    except Interrupted:
        _end(process)  # not at this process's death: nothing of the run is left then
        raise


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a program, which has the time to save its state."""
    process.terminate()
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
