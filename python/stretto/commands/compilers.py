# SPDX-License-Identifier: BSD-3-Clause
"""`stretto-cc`, `stretto-cxx`, `stretto-fc`: an MPI's compiler wrappers, for `stretto trace --memory byte`.

They compile with the thread sanitizer's instrumentation, and link stretto's runtime in place of the
sanitizer's. With gcc for x86-64, assembler macros inline most of the runtime's calls. The arguments are
those of the compiler.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from stretto.errors import UserError
from stretto.native.programs import native_library

_C_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".C", ".c++"})
_FORTRAN_SUFFIXES = frozenset({".f", ".f90", ".f95", ".f03", ".f08", ".F", ".F90", ".F95", ".F03", ".F08"})
_LINKED_SUFFIXES = (".o", ".a", ".so")
_WITHOUT_LINKING = frozenset({"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"})
_ALLOCATE = ("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign")
_NEW = ("_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t")
"""Mangled names of C++'s operator new."""
_COMPILER_OF_A_WRAPPER = re.compile("(OMPI|MPICH|I_MPI)_(CC|CXX|FC|F77|F90)")
_WRAPPED = ("memcpy", "memmove", "memset", *_ALLOCATE, *_NEW)


def cc() -> None:
    """`stretto-cc`: C, by the `mpicc` of PATH or what STRETTO_CC names."""
    sys.exit(_main("stretto-cc", "STRETTO_CC", "mpicc"))


def cxx() -> None:
    """`stretto-cxx`: C++, by the `mpicxx` of PATH or what STRETTO_CXX names."""
    sys.exit(_main("stretto-cxx", "STRETTO_CXX", "mpicxx"))


def fc() -> None:
    """`stretto-fc`: Fortran, by the `mpifort` of PATH or what STRETTO_FC names."""
    sys.exit(_main("stretto-fc", "STRETTO_FC", "mpifort"))


def _main(name: str, variable: str, default: str) -> int:
    _forget(name)
    try:
        return compile_and_link(_compiler(variable, default), sys.argv[1:])
    except UserError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return error.status


def _forget(name: str) -> None:
    """Takes this program out of OMPI_FC and its like: MPI's wrappers would start it without end."""
    for variable, value in tuple(os.environ.items()):
        if _COMPILER_OF_A_WRAPPER.fullmatch(variable) and Path(value).name == name:
            del os.environ[variable]


def _compiler(variable: str, default: str) -> str:
    requested = os.environ.get(variable) or default
    in_environment = Path(sys.prefix) / "bin" / requested
    result = shutil.which(requested) or (str(in_environment) if in_environment.is_file() else None)
    if result is None:
        raise UserError(f"{requested}: no such compiler; set {variable} to an MPI compiler wrapper")
    return result


def compile_and_link(compiler: str, arguments: Sequence[str]) -> int:
    """Runs the compiler: once where it only compiles or only links, else once per source and once to link.

    Linking is a separate run, because the instrumenting option makes the compiler link the sanitizer's
    runtime.

    Returns:
        The first exit status that is not zero.

    Raises:
        UserError: the runtime is not built.
    """
    # With -pipe, gcc's assembler reads one input only.
    arguments = [word for word in arguments if word != "-pipe"]
    sources = [word for word in arguments if _suffix(word) in _C_SUFFIXES | _FORTRAN_SUFFIXES]
    if not sources and (
        any(word in _WITHOUT_LINKING for word in arguments)
        or not any(_suffix(word) in _LINKED_SUFFIXES for word in arguments)
    ):
        return _run([compiler, *arguments])  # no source and no object: a query such as --version
    library = native_library("libstretto_memory.so", "none").absolute()
    in_line = _in_line(compiler, arguments, library.parent) if sources else ()
    if any(word in _WITHOUT_LINKING for word in arguments):
        return _run([compiler, *arguments, *_instrument(sources[0]), *in_line])
    with tempfile.TemporaryDirectory(prefix="stretto-") as directory:
        words = list(arguments)
        for index, source in enumerate(sources):
            target = str(Path(directory) / f"{index}-{Path(source).stem}.o")
            options = _compile_options(arguments, sources)
            status = _run([compiler, *options, *_instrument(source), *in_line, "-c", source, "-o", target])
            if status:
                return status
            words[words.index(source)] = target
        return _run([compiler, *words, *_link(library, "-shared" in words)])


def _instrument(source: str) -> tuple[str, ...]:
    """The options that follow a source's own options, and so override them."""
    # The macros match the callbacks' names in the assembler's input, so LTO and no-plt calls are off.
    options: tuple[str, ...] = ("-fsanitize=thread", "-fno-lto", "-fplt")
    if os.uname().machine == "x86_64":
        options += ("-mno-avx",)  # callbacks handle at most 16 bytes: wider accesses would be missed
    if _suffix(source) in _C_SUFFIXES:
        options += ("-U_FORTIFY_SOURCE",)  # the fortified memcpy has another name, which is not wrapped
    return options


def _in_line(compiler: str, arguments: Sequence[str], libraries: Path) -> tuple[str, ...]:
    """The options that inline most calls as table lookups; else the other options that a compiler needs."""
    if _is_clang(compiler):
        # By default clang omits a load before a store to the same place. Its assembler cannot use the macros.
        return ("-mllvm", "-tsan-instrument-read-before-write")
    if os.uname().machine != "x86_64" or any(word.startswith("-masm=") for word in arguments):
        return ()
    return ("-Xassembler", str(libraries / "stretto_memory_in_line.s"))


def _is_clang(compiler: str) -> bool:
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return "clang" in done.stdout


def _link(library: Path, shared: bool) -> tuple[str, ...]:
    wraps = tuple(f"-Wl,--wrap={name}" for name in _WRAPPED)
    calls = str(library.with_name("libstretto_memory_calls.a"))
    # The recorder needs the library, even where the linked program does not use it.
    runtime = ("-Wl,--no-as-needed", f"-Wl,-rpath,{library.parent}", str(library))
    # What is found first defines the state of a thread: a program's own needs no indirection.
    return (*wraps, *runtime, calls) if shared else (*wraps, calls, *runtime)


def _compile_options(arguments: Sequence[str], sources: Sequence[str]) -> list[str]:
    """The options to compile a source: the arguments without sources, objects, libraries and output."""
    kept, skip = [], False
    for word in arguments:
        if skip:
            skip = False
        elif word == "-o":
            skip = True
        elif word not in sources and not _is_for_the_linker(word):
            kept.append(word)
    return kept


def _is_for_the_linker(word: str) -> bool:
    if word.startswith("-"):
        return word.startswith(("-l", "-L", "-Wl,"))
    return _suffix(word) in _LINKED_SUFFIXES


def _suffix(word: str) -> str:
    return "" if word.startswith("-") else Path(word).suffix


def _run(command: list[str]) -> int:
    return subprocess.run(command, check=False).returncode
