# SPDX-License-Identifier: BSD-3-Clause
"""No modules of a component of python/stretto import each other in a cycle."""

from pathlib import Path

import pytest
from test_layers import ROOT, cycles, imported


def module_imports(component: Path) -> dict[str, frozenset[str]]:
    """Which modules of a Python component each of its modules imports, wherever in the file it does."""
    inside = f"stretto.{component.name}"
    result: dict[str, set[str]] = {}
    for file in sorted(component.glob("**/*.py")):
        name = ".".join(file.relative_to(component.parent.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        result[name] = set()
        for _, names in imported(file):
            both = {*names, *(one.rpartition(".")[0] for one in names)}
            result[name] |= {one for one in both if one.startswith(f"{inside}.")}
    return {name: frozenset(one for one in used if one in result) for name, used in result.items()}


@pytest.mark.parametrize(
    "component", sorted(path.parent.name for path in (ROOT / "python" / "stretto").glob("*/__init__.py"))
)
def test_no_modules_of_a_component_import_each_other_in_a_cycle(component: str) -> None:
    graph = module_imports(ROOT / "python" / "stretto" / component)
    assert cycles(graph) == []


def test_a_planted_cycle_is_found(tmp_path: Path) -> None:
    component = tmp_path / "stretto" / "data"
    component.mkdir(parents=True)
    (component / "a.py").write_text("from stretto.data import b\n")
    (component / "b.py").write_text("def f():\n    from stretto.data.c import g\n")
    (component / "c.py").write_text("from stretto.data.a import h\n")
    (component / "d.py").write_text("import stretto.data.a\n")
    assert cycles(module_imports(component)) == ["stretto.data.a", "stretto.data.b", "stretto.data.c"]
