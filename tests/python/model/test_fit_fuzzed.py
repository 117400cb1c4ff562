# SPDX-License-Identifier: BSD-3-Clause
"""Valid but implausible samples give figures or reasons, without exceptions or NaN in a file."""

import json
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stretto.data.profile_file import read_profile, write_profile
from stretto.data.results import read_results, write_results
from stretto.data.samples import read_samples
from stretto.errors import UserError
from stretto.model.compare import compare_results
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile

LINES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "golden" / "samples-1.0.jsonl").read_text().splitlines()
]
ODD = {
    "time_s": (0, 1e-300, 1e-9, 1, 1e9),
    "messages": (0, 1, 2, 2**40),
    "size_bytes": (0, 1, 8, 65536, 2**60),
    "ratio": (0, 1, 1e9),
    "ranks": (1, 2, 3, 10**6),
    "init_max_s": (0, 1e9),
    "work_max_s": (0, 1e-300, 1e9),
    "sync_max_s": (0, 1e9),
    "window": (1, 2**40),
    "operation": ("put", "send"),
    "value_s": (0, 1e9),
}


@pytest.mark.slow
@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_implausible_samples_are_fitted_or_left_unresolved(data: st.DataObject, tmp_path: Path) -> None:
    """Changes whole quantities of a probe and single rows, as a broken clock could."""
    rows = [dict(row) for row in LINES]
    for _ in range(data.draw(st.integers(1, 6))):
        member = data.draw(st.sampled_from(sorted(ODD)))
        having = [row for row in rows if member in row and row["row"] in ("sample", "noise_floor")]
        like = data.draw(st.sampled_from(having))
        value = data.draw(st.sampled_from(ODD[member]))
        similar = data.draw(
            st.sampled_from((("probe", "case", "quantity", "round"), ("probe", "quantity"), ("probe",)))
        )
        for row in having:
            if all(row.get(name) == like.get(name) for name in similar):
                row[member] = value
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    samples = read_samples(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = derive_results(samples)
        compare_results(results, results)
    write_results(results, tmp_path / "results.json")
    assert read_results(tmp_path / "results.json").rows == results.rows
    write_profile(fit_profile([samples]), tmp_path / "profile.json")
    try:
        read_profile(tmp_path / "profile.json")
    except UserError as error:
        assert "not within" in str(error), "what was fitted may be absurd, but then it is said"
