# SPDX-License-Identifier: BSD-3-Clause
"""Data in containers of C++ has the name of the program's line that made the container, optimised or not."""

import json
from pathlib import Path

import pytest
from memory_runs import BIN, needs_runtime, run
from traced_runs import PROGRAMS

pytestmark = [
    pytest.mark.slow,
    needs_runtime,
]
SOURCE = PROGRAMS / "containers.cpp"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_a_container_has_the_name_of_the_line_that_made_it(level: str, tmp_path: Path) -> None:
    program, trace = tmp_path / "containers", tmp_path / "trace"
    run(BIN / "stretto-cxx", level, "-g", "-std=c++17", SOURCE, "-o", program)
    run(
        BIN / "stretto", "trace", "--memory", "byte", "-o", trace, "--",
        BIN / "mpiexec", "-n", "2", program,
    )  # fmt: skip
    found = json.loads(run(BIN / "stretto", "potential", trace, "--by", "data", "--json").stdout)
    lines = enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1)
    made = {number: text.partition("// makes: ")[2] for number, text in lines if "// makes: " in text}
    named = {int(site["where"].rpartition("containers.cpp:")[2] or 0) for site in found["sites"]}
    assert {made.get(line, f"line {line}") for line in named} == set(made.values()), found["sites"]
