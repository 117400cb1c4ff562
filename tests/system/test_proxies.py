# SPDX-License-Identifier: BSD-3-Clause
"""The proxies compute the same numbers with and without overlap, and their traces have their patterns."""

from pathlib import Path

import pytest
from processes import completed, needs_built
from traced_runs import LAUNCHERS, ROOT, events_of, launch, marks_of, stretto

from stretto.data.trace_directory import open_trace
from tests.standard.mpis import AS_ROOT

RANKS = 4
PROXIES = {
    "wavefront": ("--stages", "6"),
    "adaptive": ("--steps", "6", "--adapt", "3", "--finest", "6"),
    "barotropic": ("--steps", "6", "--rows", "16", "--columns", "8"),
    "halo_1d": ("--steps", "6", "--rows", "8", "--columns", "16"),
    "halo_2d": ("--steps", "6", "--cells", "8"),
    "halo_3d": ("--steps", "6", "--cells", "8"),
    "sparse": ("--steps", "6", "--rows", "8", "--columns", "16", "--far", "20"),
    "transposition": ("--steps", "6", "--order", "64"),
}
# Each under the first MPI that has it: what the recorder makes of every MPI is the matter of test_trace.py.
BUILT = [
    next((preset, name) for preset in LAUNCHERS if (ROOT / "build" / preset / "proxies" / name).is_file())
    for name in PROXIES
    if any((ROOT / "build" / preset / "proxies" / name).is_file() for preset in LAUNCHERS)
]
pytestmark = needs_built(BUILT, "THE SET OF PROXIES")


def command(preset: str, name: str, *options: str, ranks: int = RANKS) -> list[str]:
    return launch(preset, str(ROOT / "build" / preset / "proxies" / name), *options, ranks=ranks)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "name"),
    [pytest.param(preset, name, marks=marks_of(preset)) for preset, name in BUILT],
)
def test_overlap_changes_when_and_not_what(preset: str, name: str, tmp_path: Path) -> None:
    sums, messages = [], []
    for number, overlap in enumerate(((), ("--overlap",))):
        directory = tmp_path / str(number)
        program = command(preset, name, *PROXIES[name], *overlap)
        done = stretto(preset, "trace", "-o", str(directory), "--", *program)
        assert done.returncode == 0, done.stderr
        text = done.stdout.split()
        assert text[0] == name and float(text[2]) > 0
        sums.append(float(text[4]))
        names = [event.name for file in open_trace(directory) for event in events_of(file)]
        messages.append(names.count("MPI_Isend"))
    assert sums[0] == pytest.approx(sums[1], rel=1e-14) and sums[0] != 0
    # A stage of the wavefront sends 4 messages, with overlap phiib as four pieces; a transposition's leave in eight.
    pieces = {"wavefront": (6 * 4 * 4, 6 * 4 * 10), "transposition": (6 * 4 * 4, 8 * 6 * 4 * 4)}
    assert tuple(messages) == pieces.get(name, (messages[0], messages[0]))


@pytest.mark.parametrize("name", sorted({name for _, name in BUILT}))
@pytest.mark.parametrize("options", [("--magic",), ("--steps", "-3")])
def test_a_wrong_option_is_reported_once(name: str, options: tuple[str, ...]) -> None:
    preset = next(preset for preset, built in BUILT if built == name)
    done = completed(
        command(preset, name, *options, ranks=2),
        timeout=60,
        env={"PATH": "/usr/bin:/bin", "HOME": str(Path.home()), **AS_ROOT},
    )
    assert done.returncode == 2 and done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if "options:" in line or "give a number" in line]
    assert len(lines) == 1, done.stderr
