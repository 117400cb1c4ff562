# SPDX-License-Identifier: BSD-3-Clause
"""The compilers of `--memory byte`, where an MPI's wrapper starts them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Runs what MPI's wrapper is told to compile with, or else is the compiler.
WRAPPER = """#!/bin/sh
[ -z "$OMPI_FC" ] || exec "$OMPI_FC" -I/of/the/wrapper "$@"
echo "compiled with $*" > {said}
"""


@pytest.mark.parametrize("named", ["stretto-fc", "/some/where/stretto-fc"])
def test_a_wrapper_that_compiles_with_stretto_fc_starts_it_once(named: str, tmp_path: Path) -> None:
    wrapper, said = tmp_path / "mpifort", tmp_path / "said"
    wrapper.write_text(WRAPPER.format(said=said))
    wrapper.chmod(0o755)
    program = "from stretto.commands.compilers import fc; fc()"
    environment = {**os.environ, "OMPI_FC": named, "STRETTO_FC": str(wrapper)}
    subprocess.run([sys.executable, "-c", program, "-E", "a.f90"], env=environment, check=True, timeout=60)
    assert "a.f90" in said.read_text().split()
