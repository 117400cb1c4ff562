# SPDX-License-Identifier: BSD-3-Clause
"""The probes FT and SPMV over virtual machines with known parameters agree with their models."""

import subprocess
from pathlib import Path

import pytest
from virtual_runs import virtual_program

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, OverlapEntry, Profile
from stretto.data.samples import read_samples
from stretto.launch.probing import probe_arguments
from stretto.model.derive import derive_results
from stretto.model.parameters import Source
from stretto.model.verify import Verification, verify

TRUTH = "L=4us,o_s=2us,g_queue=9us,G=1.1ns,work=1ns"
FT = ("ft", "--rows", "64", "--row-length", "4096", "--scale", "0,1,4")
SPMV = ("spmv", "--matrix-rows", "1048576", "--nonzeros", "0,1e-5")


def verified(directory: Path, machine: str, overlap: float, *probe: str) -> Verification:
    """Runs a probe on eight virtual ranks and models it with the machine's own numbers."""
    samples = directory / "samples.jsonl"
    words = [*probe, "-n", "8", "--progress", "none", "--rounds", "3"]
    command = [str(virtual_program()), "--machine", machine, "--ranks", "8", *probe_arguments(words, samples)]
    subprocess.run(command, check=True, timeout=120)
    results = derive_results(read_samples(samples))
    fitted = LogGPRange(1, 1 << 30, *map(Figure, (4e-6, 2e-6, 0.0, 0.0, 9e-6, 1.1e-9)))
    ways = ("put", "get", "send")
    profile = Profile(
        tuple(LogGPEntry("virtual", way, "remote", "spaced-trains", (fitted,)) for way in ways),
        overlap=tuple(
            OverlapEntry("virtual", way, "remote", "none", "both", "one-way", 1 << 20, 1.0, Figure(overlap))
            for way in ways
        ),
    )
    return verify(results, Source(profile, "the machine itself", draws=1))


@pytest.mark.parametrize("overlap", [1.0, 0.0])
def test_ft_takes_as_long_as_its_graphs(tmp_path: Path, overlap: float) -> None:
    schedules = ("--schedules", "exchange,slabs,chunks=16,pencils")
    result = verified(tmp_path, f"{TRUTH},overlap={overlap}", overlap, *FT, *schedules)
    assert len(result.rows) == 3 * 4
    for row in result.rows:
        # its barrier takes no time; ours is three rounds of 6 us, and the first message waits for the queue
        modelled = row.bars["M"].time_s - row.bars["M"].segments_s["barrier"]
        assert modelled == pytest.approx(row.measured.time_s, rel=0.003)
        assert row.bars["M"].segments_s["init"] == pytest.approx(row.measured.segments_s["init"], abs=1e-9)


def test_spmv_gathers_as_its_graphs(tmp_path: Path) -> None:
    result = verified(tmp_path, TRUTH, 1.0, *SPMV, "--schedules", "bulk,gather", "--prefetch", "1,5")
    assert len(result.rows) == 2 * 3
    for row in result.rows:
        modelled = row.bars["M"].time_s - row.bars["M"].segments_s["barrier"]
        assert modelled == pytest.approx(row.measured.time_s, rel=0.003)
