# SPDX-License-Identifier: BSD-3-Clause
"""Files for other package managers and for CI name what scripts/system-packages needs."""

import ast
import re
import subprocess
from pathlib import Path
from typing import Any

import conda_recipe
import pytest
import yaml

import release_check
from test_parts import PARTS

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
# By Debian's name: that of conda-forge and of Spack.
NAMES = {
    "g++": ("cxx-compiler", "cxx"),
    "cmake": ("cmake", "cmake"),
    "ninja-build": ("ninja", "ninja"),
    "libfmt-dev": ("fmt", "fmt"),
    "nlohmann-json3-dev": ("nlohmann_json", "nlohmann-json"),
    "libcli11-dev": ("cli11", "cli11"),
    "libfftw3-dev": ("fftw", "fftw"),
    "python3-venv": ("python", "python"),
}


def debian_packages() -> list[str]:
    """What building and running need, as scripts/system-packages has it."""
    text = (ROOT / "scripts" / "system-packages").read_text(encoding="utf-8")
    return [row.split("|")[2] for row in re.findall(r"^(?:build|python)\|.*$", text, re.MULTILINE)]


@pytest.mark.parametrize("package", debian_packages())
def test_other_package_managers_have_what_building_needs(package: str) -> None:
    """A dependency that is new in scripts/system-packages is new in all of them."""
    conda, spack = NAMES[package]
    environment = (PACKAGING / "conda" / "environment.yml").read_text(encoding="utf-8")
    assert re.search(rf"^  - {conda}\b", environment, re.MULTILINE)
    recipe = (PACKAGING / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    assert conda == "cxx-compiler" or re.search(rf"^    - {conda}\b", recipe, re.MULTILINE)
    assert f'depends_on("{spack}' in (PACKAGING / "spack" / "package.py").read_text(encoding="utf-8")
    assert f" {package} " in (PACKAGING / "Containerfile").read_text(encoding="utf-8").replace("\n", " ")


def test_conda_has_the_bounds_of_the_python_packages() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.search(r"^dependencies = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert listed is not None
    wanted = re.findall(r'^    "([a-z0-9]+)(>=[0-9.]+)?"', listed[1], re.MULTILINE)
    recipe = (PACKAGING / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    for name, bound in wanted:
        assert f"    - {name} {bound}".rstrip() in recipe.splitlines(), name
    assert dict(wanted)["typer"], "stretto.commands uses typer.exceptions, which earlier versions lack"


def test_the_spack_package_is_python() -> None:
    ast.parse((PACKAGING / "spack" / "package.py").read_text(encoding="utf-8"))


def test_the_tool_of_conda_forge_reads_the_recipe() -> None:
    (one,) = conda_recipe.rendered()
    assert one["build"]["script"]["content"].endswith("-Ccmake.define.MPI_CXX_COMPILER=${PREFIX}/bin/mpicxx")
    assert one["tests"][0]["script"][0] == "stretto list"


def jobs() -> dict[str, Any]:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)["jobs"]
    return found


def commands(job: dict[str, Any]) -> list[str]:
    """What the steps of a job run."""
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_jobs_of_the_workflow_are_the_parts_of_a_change() -> None:
    job = jobs()["change"]
    assert "${{ matrix.run }}" in commands(job)
    rows = job["strategy"]["matrix"]["include"]
    parts = [row["run"].removeprefix("bash .ci/run ") for row in rows if row["run"] != "make test"]
    assert set(parts) == {"lint", "docs", "tests", "native"}
    families = [name for row in rows for name in row.get("families", "").split()]
    assert sorted(families) == sorted(PARTS["change"].builds)
    assert {"run": "make test", "name": "test"} in rows, "it has the unit tests without sanitizers"


def test_the_night_has_all_tests_and_the_search() -> None:
    ran = commands(jobs()["night"])
    assert {"make test-all", "make lint", 'make search ARGS="--minutes 60"'} <= set(ran)


def test_a_part_of_a_change_that_does_not_exist_is_refused() -> None:
    done = subprocess.run(
        ["bash", ROOT / ".ci" / "run", "everything"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "run: everything is none of lint, docs, tests, native\n"


def test_the_files_name_one_version(tmp_path: Path) -> None:
    named = release_check.versions(ROOT)
    assert named["pyproject.toml"] == named["CITATION.cff"]
    recipe = (PACKAGING / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    assert f"  version: {named['pyproject.toml']}\n" in recipe
    for name, text in (
        ("pyproject.toml", '[project]\nversion = "1.2.0"\n'),
        ("CITATION.cff", "version: 1.2.0\n"),
        ("CHANGELOG.md", "# Changes\n\n## Unreleased\n\n## 1.1.0\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    wrong = release_check.differences("v1.2.0", release_check.versions(tmp_path))
    assert wrong == ["CHANGELOG.md: 1.1.0, not v1.2.0"]


def test_the_help_of_make_fits_a_terminal() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) > 10
    assert not [line for line in lines if len(line) > 80]
