# SPDX-License-Identifier: BSD-3-Clause
"""Golden samples give the golden results and profile: every figure, interval and reason.

After an intended change, write new golden files and review their difference:
`python tests/python/model/test_golden.py`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from stretto.data.profile_file import profile_text
from stretto.data.results import results_text
from stretto.data.samples import read_samples
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile

TESTS = Path(__file__).parents[2]
DERIVED = TESTS / "golden" / "derived"
SAMPLES = {
    "1.0": TESTS / "golden" / "samples-1.0.jsonl",
    "schedules": TESTS / "python" / "model" / "schedules-virtual.jsonl",
}
# These are fitted by least squares, and tested on machines with known functions.
_ELSEWHERE = ("collectives", "couplings", "made_from")


def derived(name: str) -> dict[str, Any]:
    """Results and profile of a samples file as JSON values."""
    samples = read_samples(SAMPLES[name])
    profile = json.loads(profile_text(fit_profile([samples])))
    return {
        "results": json.loads(results_text(derive_results(samples)))["rows"],
        "profile": {member: value for member, value in profile.items() if member not in _ELSEWHERE},
    }


def same(one: Any, other: Any) -> bool:
    """Whether both are equal up to the last digits of numbers."""
    if isinstance(one, float) or isinstance(other, float):
        return isinstance(other, int | float) and one == pytest.approx(other, rel=1e-6, abs=1e-15)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.parametrize("name", SAMPLES)
def test_kept_samples_give_the_kept_figures(name: str) -> None:
    kept = json.loads((DERIVED / f"{name}.json").read_text(encoding="utf-8"))
    result = derived(name)
    assert [row for row, other in zip(result["results"], kept["results"]) if not same(row, other)] == []
    assert len(result["results"]) == len(kept["results"])
    for member, value in result["profile"].items():
        assert same(value, kept["profile"][member]), member
    assert result["profile"].keys() == kept["profile"].keys()


if __name__ == "__main__":
    for kept_name in SAMPLES:
        text = json.dumps(derived(kept_name), indent=None, separators=(",", ":")).replace('{"', '\n{"')
        (DERIVED / f"{kept_name}.json").write_text(text.lstrip() + "\n", encoding="utf-8")
