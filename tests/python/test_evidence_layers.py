# SPDX-License-Identifier: BSD-3-Clause
"""Evidence about the product uses the product; the product uses no evidence."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_layers import NATIVE, ROOT, Use, arrows, cycles, imported, includes_of, violations

# Evidence may import what is installed, never the reverse. The papers' figures also use what benches and
# validations share.
EVIDENCE = arrows(
    {
        "stretto": "",
        "bench": "stretto",
        "validation.papers": "stretto bench",
        "validation": "validation.papers",
        "tests": "validation",
    }
)
# How evidence runs the command `stretto`.
SHARED_BY_EVIDENCE = "validation.commands"


def evidence_of(module: str) -> str | None:
    """The row of EVIDENCE to which a module belongs; None for modules of others, and the shared one."""
    if f"{module}.".startswith(f"{SHARED_BY_EVIDENCE}."):
        return None
    if f"{module}.".startswith("validation.papers."):
        return "validation.papers"
    first = module.split(".")[0]
    return first if first in EVIDENCE else None


def evidence_uses(root: Path, folder: str) -> Iterator[Use]:
    """Every absolute import in `root`/`folder` of a module of EVIDENCE, wherever in the file it stands."""
    for file in sorted((root / folder).glob("**/*.py")):
        inside = file.relative_to(root).with_suffix("").parts
        own = evidence_of(".".join(inside[1:] if inside[0] == "python" else inside))
        if own is None:
            continue
        for line, names in imported(file):
            for used in filter(None, map(evidence_of, names)):
                yield Use(file, line, own, used)


def test_the_product_imports_no_evidence_and_the_papers_no_validation() -> None:
    uses = [use for folder in ("python", "bench", "validation") for use in evidence_uses(ROOT, folder)]
    assert {(use.component, use.used) for use in uses} >= {
        ("validation.papers", "stretto"),
        ("validation", "validation.papers"),
    }
    assert violations(EVIDENCE, iter(uses)) == []


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "python/stretto/commands/a.py",
            "from validation.papers.registry import PAPERS",
            "stretto must not use",
        ),
        ("python/stretto/model/a.py", "def f():\n    import validation.papers", "stretto must not use"),
        ("python/stretto/model/a.py", "from bench.harness.checks import Check", "stretto must not use bench"),
        (
            "validation/papers/a.py",
            "from validation import jacobi",
            "validation.papers must not use validation",
        ),
        ("bench/a.py", "from validation.noise import paired", "bench must not use validation"),
        ("validation/papers/a.py", "from validation.commands import stretto", None),
        ("validation/papers/a.py", "from stretto.errors import UserError", None),
        ("validation/a.py", "from validation.papers import schedules", None),
    ],
)
def test_a_planted_import_of_evidence(tmp_path: Path, file: str, text: str, message: str | None) -> None:
    planted = tmp_path / file
    planted.parent.mkdir(parents=True)
    planted.write_text(text + "\n")
    result = violations(EVIDENCE, evidence_uses(tmp_path, Path(file).parts[0]))
    assert (not result) if message is None else (message in result[0])


def test_the_table_has_no_cycle() -> None:
    assert cycles(EVIDENCE) == []


# What the kernels of `stretto run` use of src/. The reverse does not compile: components of src/ are built without
# `proxies` in their include path.
PROXIES = {"proxies": frozenset({"fft", "sparse", "collective", "tools"})}


def test_the_kernels_use_interfaces_of_components_only() -> None:
    files = sorted((ROOT / "proxies").glob("**/*.[ch]pp"))
    uses = [use for file in files for use in includes_of(file, "proxies", ROOT / "src")]
    assert {"fft", "exchange"} <= {use.used for use in uses}
    assert violations({**NATIVE, **PROXIES}, (use for use in uses if use.used != "<mpi.h>")) == []
