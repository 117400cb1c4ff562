# SPDX-License-Identifier: BSD-3-Clause
"""Every code block of the documents compiles, runs or parses, and decision records have the right form."""

import json
import os
import re
import shlex
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import test_layers
import typer
from processes import completed
from typer.cli import get_docs_for_click
from typer.main import get_command

from stretto.commands import COMMANDS, application, request_of
from stretto.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
BIN = Path(sys.executable).parent

# Blocks that nothing can check: drawings, output, another program's language, commands that take minutes.
UNCHECKED = Counter(
    {
        "docs/architecture.md": 1,
        "docs/armci.md": 1,
        "docs/formats.md": 1,
        "docs/emulation.md": 1,
        "docs/replay.md": 1,
        "README.md": 1,
        "TESTING.md": 6,
    }
)

WRAPPERS = ("stretto-cc", "stretto-cxx", "stretto-fc")
# Programs of others that pages show; tests of the tutorial and of the installation run them.
OTHERS = ("source", "export", "module", "apt-get", "pip", "conda")
OTHERS += ("cmake", "mpicc", "mpicxx", "mpifort", "mpiexec")

FENCE = re.compile(
    r"(?:^<!-- preamble\n(?P<preamble>.*?)^-->\n+)?^```(?P<language>\S*)[^\n]*\n(?P<text>.*?)^```$",
    re.M | re.S,
)


@dataclass(frozen=True)
class Block:
    """A fenced block; `preamble` is text of a comment before it that completes it and is not shown."""

    page: str
    line: int
    language: str
    preamble: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for result in FENCE.finditer(text):
        line = text.count("\n", 0, result.start("text"))
        name = page.relative_to(ROOT).as_posix()
        yield Block(name, line, result["language"], result["preamble"] or "", result["text"])


ALL = [block for page in PAGES for block in blocks(page) if not block.language.startswith("{")]


def of(*languages: str) -> list[Block]:
    result = [block for block in ALL if block.language in languages]
    assert result, f"no block of {languages}: is the pattern still right?"
    return result


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    known = {"cpp", "c", "fortran", "cmake", "python", "console", "sh", "json", "xml", "text"}
    assert [f"{block}: {block.language}" for block in ALL if block.language not in known] == []
    assert Counter(block.page for block in of("text")) == UNCHECKED


@pytest.mark.slow
@pytest.mark.parametrize("block", of("cpp", "c"), ids=str)
def test_code_compiles(block: Block, tmp_path: Path) -> None:
    source = tmp_path / f"block.{block.language}"
    source.write_text(block.preamble + block.text, encoding="utf-8")
    wrapper, options = ("mpicxx", ["-std=c++20"]) if block.language == "cpp" else ("mpicc", [])
    flags = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include", f"-I{ROOT}/include/armci"]
    done = completed([BIN / wrapper, *options, *flags, source])
    assert done.returncode == 0, done.stderr


def command_lines(block: Block) -> Iterator[list[str]]:
    """The words of every command of a console block, without assignments before it or a redirection after."""
    for line in block.text.splitlines():
        assert line.startswith("$ "), f"{block}: '{line}' is no command line"
        words = shlex.split(line.removeprefix("$ "))
        while "=" in words[0]:
            words = words[1:]
        yield words[: words.index(">")] if ">" in words else words


def parse(words: list[str]) -> None:
    """Reads a command line of `stretto` as the program does, values and limits included, and runs nothing."""
    if not {"--help", "--version"} & {*words[:2]}:
        request_of(words)


@pytest.mark.parametrize("block", of("console"), ids=str)
def test_command_lines_are_understood(block: Block) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    for program, *words in command_lines(block):
        if program == "make":
            assert words[0] in targets, f"{block}: make {words[0]}"
        elif Path(program).name == "stretto":
            parse(words)
        else:
            assert program in (*WRAPPERS, *OTHERS), f"{block}: {program}"


@pytest.mark.parametrize(
    "line", ["probe overlap --sices 8:1MiB", "probe overlap --sizes 8:1parsec", "replay", "predict fft"]
)
def test_a_wrong_command_line_is_found(line: str) -> None:
    with pytest.raises(UserError):
        parse(line.split())


def test_commands_in_the_tables_for_users_of_other_tools_are_understood() -> None:
    """A table has whole command lines in code marks, which no console block checks."""
    page = (DOCS / "osu-imb-mpip.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")]
    commands = [command for row in rows for command in re.findall(r"`stretto ([^`]*)`", row)]
    assert len(commands) > 20
    for command in commands:
        parse(shlex.split(command))


@pytest.mark.parametrize("block", of("sh"), ids=str)
def test_scripts_run(block: Block, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = completed(["sh", "-eu", "-c", block.text], cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", of("json", "xml"), ids=str)
def test_data_parses(block: Block) -> None:
    if block.language == "json":
        assert json.loads(block.text)
    else:
        assert len(ElementTree.fromstring(block.text)) > 0


@pytest.mark.parametrize("block", of("cmake"), ids=str)
def test_cmake_targets_exist(block: Block) -> None:
    """Of the libraries and components that are installed, by their exported names."""
    libraries = (ROOT / "cmake" / "Libraries.cmake").read_text(encoding="utf-8")
    exported = set(re.findall(r"stretto_shared\(stretto_\S+ (\w+) ", libraries)) | {"stretto"}
    assert {"rma", "armci", "kernels"} <= exported
    for file in (ROOT / "src").rglob("CMakeLists.txt"):
        exported |= set(re.findall(r"stretto_component\((\w+)", file.read_text(encoding="utf-8")))
    unknown = set(re.findall(r"stretto::(\w+)", block.text)) - exported
    assert not unknown, f"{block}: {unknown}"


def test_relative_links_of_the_root_pages_lead_somewhere() -> None:
    for page in ROOT.glob("*.md"):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), f"{page.name}: {target}"


def test_decision_records_are_few_short_and_indexed() -> None:
    index = (DOCS / "decisions" / "index.md").read_text(encoding="utf-8")
    records = [page for page in (DOCS / "decisions").glob("*.md") if page.name != "index.md"]
    assert 0 < len(records) <= 25
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert len(text.split()) <= 300, f"{record.name} is longer than 300 words"
        assert re.findall(r"^## (.*)$", text, re.M) == ["Context", "Decision", "Consequences"], record.name
        assert f"]({record.name})" in index, f"{record.name} is not in the index"


def described(heading: str) -> set[str]:
    """The components that a table of docs/architecture.md describes."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    section = page.split(f"## {heading}")[1].split("<!-- generated")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.M))


def test_the_map_describes_every_component() -> None:
    assert described("Components of `src/`") == set(test_layers.NATIVE)
    assert described("Components of `python/stretto/`") == set(test_layers.PYTHON)


def test_pages_name_files_that_exist() -> None:
    folders = "src|python|docs|platforms|tests|bench|validation|examples|proxies|include|scripts"
    wrong = []
    named = 0
    for page in PAGES:
        for name in re.findall(rf"`((?:{folders})/[\w./-]*)`", page.read_text(encoding="utf-8")):
            named += 1
            if "NAME" not in name and not (ROOT / name).exists():
                wrong.append(f"{page.relative_to(ROOT)}: {name}")
    assert named > 50, "hardly a file is named: is the pattern still right?"
    assert wrong == []


def test_files_name_documents_that_exist() -> None:
    """Comments refer to a page or a record by its path."""
    listed = completed(["git", "grep", "-nEo", r"docs/[a-z_/-]+\.md"], cwd=ROOT, check=True)
    named = [line.split(":") for line in listed.stdout.splitlines()]
    assert named
    assert [":".join(result) for result in named if not (ROOT / result[2]).exists()] == []


def test_the_reference_of_the_command_line_has_no_inner_names() -> None:
    """A Python representation of an object would appear in the help and on the site."""
    command = get_command(application(COMMANDS))
    pages = get_docs_for_click(obj=command, ctx=typer.Context(command, info_name="stretto"), name="stretto")
    assert "--against" in pages and " object at 0x" not in pages
