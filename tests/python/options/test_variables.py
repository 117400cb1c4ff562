# SPDX-License-Identifier: BSD-3-Clause
"""The list of environment variables has every one that the sources read, and no other."""

import re
from pathlib import Path

from stretto.options.variables import VARIABLES

ROOT = Path(__file__).parents[3]
OF_THE_BUILD = {"STRETTO_MPI", "STRETTO_MPIEXEC"}  # in CMake's cache, not in an environment
OF_TESTS = {"STRETTO_YIELD_SEED"}  # only in builds that delay threads at random


def test_every_variable_that_is_read_is_listed() -> None:
    quoted = re.compile(r'"(STRETTO_[A-Z_]+)"')
    sources = [*ROOT.glob("src/**/*.[ch]pp"), *ROOT.glob("python/**/*.py")]
    texts = [file.read_text(encoding="utf-8") for file in sources if file.name != "variables.py"]
    read = {name for text in texts for name in quoted.findall(text)} - OF_THE_BUILD - OF_TESTS
    assert len(read) > 15 and read == {one.name for one in VARIABLES}
