# SPDX-License-Identifier: BSD-3-Clause
"""Command lines of MPI programs: which words are the program's, for each launcher that is known."""

import shlex
from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch.command_line import CommandLine, read_command
from stretto.launch.command_options import WRAPPERS
from stretto.launch.mpi import MpiLibrary
from stretto.launch.preload import command_launch

MPICH = MpiLibrary("mpich", "5.0.2", Path("/m/bin/mpiexec"))
INTEL = MpiLibrary("mpich", "2021.18", Path("/i/bin/mpiexec"), is_intel=True)
OPEN_MPI_4 = MpiLibrary("openmpi", "4.1.4", Path("/o/bin/mpiexec"))
OPEN_MPI_5 = MpiLibrary("openmpi", "5.0.11", Path("/p/bin/mpiexec"))
OF_HYDRA = (MPICH, INTEL)
OF_OPEN_MPI = (OPEN_MPI_4, OPEN_MPI_5)
ALL = (*OF_HYDRA, *OF_OPEN_MPI)

APP = "./app -n 100 --hostfile h true node"
"""Its arguments look like a launcher's options, or are commands of their own."""

CASES = [
    (ALL, "mpiexec -n 2 {app}"),
    (ALL, "/usr/bin/mpiexec.hydra -np 2 {app}"),
    (ALL, "numactl --membind=0 mpiexec -n 2 {app}"),
    (ALL, "env A=true B= mpiexec -n 2 {app}"),
    (ALL, "time -p nice -n 5 taskset -c 0-3 mpirun -n 2 {app}"),
    (ALL, "mpiexec -n 2 env -u node A=true {app}"),
    (ALL, "mpiexec -n 2 numactl -N 0 --localalloc stdbuf -oL {app}"),
    (ALL, "mpiexec -n 2 timeout -k 5 60 nice -10 taskset 0x3 {app}"),
    (OF_HYDRA, "mpiexec -genv OMP_PROC_BIND true -n 2 {app}"),
    (OF_HYDRA, "mpiexec -genv OMP_PROC_BIND=true -n 2 {app}"),
    (OF_HYDRA, "mpiexec --genv A true -n=2 -env B node {app}"),
    (OF_HYDRA, "mpiexec -genvlist A,B -genvnone -ppn 2 -f hosts -bind-to user:0,1 -l -n 2 {app}"),
    (OF_HYDRA, "mpiexec -hosts true,node -launcher ssh -launcher-exec env -wdir / -n 2 {app}"),
    (OF_HYDRA, "mpiexec -genv=A true -n 2 {app}"),
    ((INTEL,), "mpirun -perhost 2 -check_mpi -gtool env -rr -n 2 {app}"),
    (OF_OPEN_MPI, "mpirun --hostfile h -np 2 {app}"),
    (OF_OPEN_MPI, "mpirun --map-by node -n 2 {app}"),
    (OF_OPEN_MPI, "mpirun -x A=true -x B -mca btl tcp,self --gmca pml ob1 -n 2 -- {app}"),
    (OF_OPEN_MPI, "mpirun --oversubscribe --bind-to none -H true:2,node:2 --wdir / -N 2 {app}"),
    (OF_OPEN_MPI, "mpirun -q --tag-output --report-bindings --timeout 60 -c 2 {app}"),
    ((OPEN_MPI_5,), "prterun --map-by=node --prtemca plm ssh --pmixmca gds hash --display map -n 2 {app}"),
    ((OPEN_MPI_4,), "orterun -map-by node -rf ranks -cf carto -bynode -npernode 1 -n 2 {app}"),
    ((None,), "srun -n2 -N 1 --mpi=pmi2 --cpu-bind cores -lu --export=ALL,A=true {app}"),
    ((None,), "srun --ntasks 2 --export ALL,B=node -c 1 --exclusive --kill-on-bad-exit=1 -K1 {app}"),
    ((None,), "srun --ntasks-per-n 2 --overlap -w true,node {app}"),
    ((None,), "flux run -n4 -N 2 -o cpu-affinity=per-task --env=A=true {app}"),
    ((None,), "jsrun -n 2 -a1 -c 1 -b rs -E A=true {app}"),
    ((None,), "aprun -n 2 -N1 -cc cpu -e A=true {app}"),
]


def own(line: CommandLine) -> list[tuple[str, ...]]:
    """The words of each program."""
    return [line.words[one.program : one.end] for one in line.programs]


@pytest.mark.parametrize(
    ("mpi", "words"), [(mpi, words) for mpis, words in CASES for mpi in mpis], ids=lambda one: str(one)[:60]
)
def test_the_program_is_found_behind_the_options_of_its_launcher(mpi: MpiLibrary | None, words: str) -> None:
    line = read_command(shlex.split(words.format(app=APP)), mpi)
    assert not line.unknown and own(line) == [tuple(APP.split())]
    assert " ".join(line.replaced(["probe", "{}"])) == words.format(app="probe {}")


@pytest.mark.parametrize("mpi", ALL)
def test_each_program_of_several_has_its_own_options(mpi: MpiLibrary) -> None:
    words = "mpiexec -n 1 ./master -n 3 : -n 2 env A=true ./worker true : -np 1 -host node ./third"
    line = read_command(words.split(), mpi)
    assert own(line) == [("./master", "-n", "3"), ("./worker", "true"), ("./third",)]
    assert (
        " ".join(line.replaced(["probe"]))
        == "mpiexec -n 1 probe : -n 2 env A=true probe : -np 1 -host node probe"
    )


def test_open_mpi_gets_variables_for_each_program() -> None:
    """Open MPI 4's -x is for the program that it stands before; Hydra's -genv is for all."""
    words = ["env", "B=1", "mpirun", "-n", "1", "a", ":", "-n", "1", "b"]
    of_open_mpi = command_launch(read_command(words, OPEN_MPI_4), OPEN_MPI_4, {"A": "1"})
    assert " ".join(of_open_mpi.argv) == "env B=1 mpirun -x A=1 -n 1 a : -x A=1 -n 1 b"
    of_mpich = command_launch(read_command(words, MPICH), MPICH, {"A": "1"})
    assert " ".join(of_mpich.argv) == "env B=1 mpirun -genv A 1 -n 1 a : -n 1 b"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("srun --export ALL,B=1 -n 2 ./app --export=x", "srun --export ALL,B=1,A=1 -n 2 ./app --export=x"),
        ("srun -n 2 ./app --export=NONE", "srun --export=ALL,A=1 -n 2 ./app --export=NONE"),
        ("srun -n 1 ./a : -n 1 ./b", "srun --export=ALL,A=1 -n 1 ./a : --export=ALL,A=1 -n 1 ./b"),
    ],
)
def test_srun_exports_by_its_own_option(words: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLURM_EXPORT_ENV", raising=False)
    launch = command_launch(read_command(words.split(), None), MPICH, {"A": "1"})
    assert " ".join(launch.argv) == expected


def test_srun_exports_a_value_with_a_comma_by_its_name() -> None:
    """Behind a comma it would read the name of another variable."""
    line = read_command(["srun", "--export=B=2", "-n", "2", "./app"], None)
    launch = command_launch(line, MPICH, {"A": "x,y", "C": "1"})
    assert launch.argv == ("srun", "--export=B=2,A,C=1", "-n", "2", "./app")
    assert launch.env == {"A": "x,y"}
    with pytest.raises(UserError, match="cannot pass a value with a comma"):
        command_launch(line, MPICH, {"LD_PRELOAD": "/a,b/libx.so"})


@pytest.mark.parametrize(
    ("mpi", "words", "word"),
    [
        (MPICH, "mpiexec --frobnicate true -n 2 ./app", "mpiexec ... --frobnicate: is no option"),
        (OPEN_MPI_4, "mpirun -genv A true -n 2 ./app", "mpirun ... -genv: is no option"),
        (MPICH, "mpiexec -configfile true", "-configfile: its file names the programs"),
        (OPEN_MPI_5, "mpirun --app true", "--app: its file names the programs"),
        (None, "srun --multi-prog true", "--multi-prog: its file names the programs"),
        (MPICH, "mpiexec -n 2 env -S 'A=b ./app'", "-S: is no option"),
        (MPICH, "mpiexec -n 2", "2: no program follows it"),
        (MPICH, "mpiexec -n 2 ./a : -n 2", "2: no program follows it"),
        (None, "mpiexec -n 2 true", "mpiexec: its options are not known here"),
    ],
)
def test_a_word_that_is_not_understood_is_named(mpi: MpiLibrary | None, words: str, word: str) -> None:
    line = read_command(shlex.split(words), mpi)
    assert not line.programs
    with pytest.raises(UserError) as caught:
        line.replaced(["probe"])
    assert word in str(caught.value) and str(caught.value).endswith("; name the program with --program")


def test_the_user_names_the_program() -> None:
    words = ["mpiexec", "--frobnicate", "true", "-n", "2", "./wrap", "./app", "true"]
    line = read_command(words, MPICH, "./app")
    assert " ".join(line.replaced(["probe"])) == "mpiexec --frobnicate true -n 2 ./wrap probe"
    behind = read_command(["mpiexec", "-n", "2", "./wrap", "./app"], MPICH, "./app")
    assert " ".join(behind.replaced(["probe"])) == "mpiexec -n 2 ./wrap probe"
    with pytest.raises(UserError, match=r"--program \./other: is no word of the command behind --"):
        read_command(words, MPICH, "./other")


def test_a_wrapper_without_a_program_is_the_program() -> None:
    for wrapper in WRAPPERS:
        assert own(read_command(["mpiexec", "-n", "2", wrapper], MPICH)) == [(wrapper,)]
        assert own(read_command([wrapper], None)) == [(wrapper,)]
