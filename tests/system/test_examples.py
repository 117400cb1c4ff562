# SPDX-License-Identifier: BSD-3-Clause
"""The list of examples is complete, and the halo exchange has one result before and after."""

import subprocess

import pytest
from traced_runs import LAUNCHERS, ROOT, launch

BUILT = [name for name in LAUNCHERS if (ROOT / "build" / name / "examples" / "halo_overlap").is_file()]


@pytest.mark.slow  # make test does not build the examples
@pytest.mark.skipif(
    not BUILT, reason="EXAMPLES NOT BUILT: not tested; scripts/native mpich tests builds them"
)
@pytest.mark.parametrize("ranks", [1, 4])
def test_overlap_does_not_change_the_result_of_the_halo_exchange(ranks: int) -> None:
    lines = []
    for name in ("halo_plain", "halo_overlap"):
        command = launch(BUILT[0], str(ROOT / "build" / BUILT[0] / "examples" / name), ranks=ranks)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        lines.append(done.stdout)
    assert lines[0] == lines[1]
    assert lines[0].startswith("halo: sum of squares 17804571")


def test_the_list_of_examples_is_complete() -> None:
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    sources = [
        file.name for file in (ROOT / "examples").iterdir() if file.suffix in (".cpp", ".c", ".f90", ".py")
    ]
    assert len(sources) >= 16
    assert [name for name in sources if f"[{name}]({name})" not in listed] == []
