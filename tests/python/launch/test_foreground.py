# SPDX-License-Identifier: BSD-3-Clause
"""An interrupt reaches the program in the foreground once, and a terminal that is gone is no error of its own."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stretto.errors import Interrupted
from stretto.launch.foreground import wait_passing_interrupts

PACKAGE_ROOT = Path(__file__).resolve().parents[3] / "python"
WAITING = (
    "import subprocess, sys\n"
    "from stretto.launch.foreground import wait_passing_interrupts\n"
    "process = subprocess.Popen(sys.argv[1:])\n"
    "sys.exit(wait_passing_interrupts(process))\n"
)
# Ends with the number of interrupts that arrived until nothing had come for a while.
COUNTING = """import signal, sys
got = []
signal.signal(signal.SIGINT, lambda *_: got.append(1))
print("ready", flush=True)
while not got or len(got) > before:
    before = len(got)
    signal.sigtimedwait({signal.SIGUSR1}, 0.5)
sys.exit(len(got))"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PACKAGE_ROOT)}


def with_terminal(*command: str) -> tuple[int, int]:
    """Starts a command as the leader of a terminal; returns its id and the terminal's other end."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, environment())
    return pid, terminal


def read_until(terminal: int, text: bytes) -> None:
    got = b""
    while text not in got:
        got += os.read(terminal, 4096)


def test_an_interrupt_of_another_process_is_passed_on() -> None:
    command = [sys.executable, "-c", WAITING, sys.executable, "-c", COUNTING]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.2)  # until it waits: before that, an interrupt ends it
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 1


@pytest.mark.parametrize(
    ("program", "status"),
    [
        ((sys.executable, "-c", COUNTING), 1),  # it arrives once
        # MPICH's mpiexec ends with 2 after Ctrl-C, which is stretto's status of wrong input.
        (("sh", "-c", "trap 'exit 2' INT; echo ready; while :; do sleep 0.1; done"), 130),
    ],
)
def test_an_interrupt_of_the_terminal(program: tuple[str, ...], status: int) -> None:
    pid, terminal = with_terminal(sys.executable, "-c", WAITING, *program)
    read_until(terminal, b"ready")
    time.sleep(0.2)
    os.write(terminal, b"\x03")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == status
    os.close(terminal)


def test_a_program_that_ends_with_2_has_not_been_interrupted() -> None:
    assert wait_passing_interrupts(subprocess.Popen(["sh", "-c", "exit 2"])) == 2
    assert wait_passing_interrupts(subprocess.Popen(["sh", "-c", "kill -TERM $$"])) == 143


def test_time_that_runs_out_is_said() -> None:
    process = subprocess.Popen(["sleep", "60"])
    with pytest.raises(subprocess.TimeoutExpired):
        wait_passing_interrupts(process, 0.05)
    process.kill()
    process.wait()


HUNG_UP = """import signal
from stretto import commands
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # these tests may run under nohup
def waits(*_):
    try:
        print("ready", flush=True)
        signal.pause()
    finally:
        print("tidied up", flush=True)
commands._run = waits
commands.main([])
"""


def test_a_terminal_that_hangs_up_is_the_status() -> None:
    """Tidying up writes to the terminal that is gone, too: a bar of progress, for example."""
    pid, terminal = with_terminal(sys.executable, "-c", HUNG_UP)
    read_until(terminal, b"ready")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 128 + signal.SIGHUP


def test_a_request_to_stop_ends_the_program_before_stretto(tmp_path: Path) -> None:
    """What the program does at its end is done when the command has ended."""
    script = (
        f"trap 'sleep 0.5; echo done > {tmp_path}/end; exit 0' TERM; echo ready; while :; do sleep 0.1; done"
    )
    code = (
        "import sys\n"
        "from stretto import commands\n"
        "from stretto.launch.mpiexec import Launch\n"
        "from stretto.launch.preload import run_preloaded\n"
        "commands._run = lambda _: run_preloaded(Launch(tuple(sys.argv[1:]), {}))\n"
        "commands.main([])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "sh", "-c", script],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.terminate()
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (Interrupted(signal.SIGTERM).status, "stretto: interrupted\n")
    assert (tmp_path / "end").read_text() == "done\n"
