# SPDX-License-Identifier: BSD-3-Clause
"""The entries of `make bench` and `make validation` read the options that their runner declares."""

import argparse
import ast
import sys
from pathlib import Path
from types import ModuleType

import pytest

import bench.run
import validation.run

OF_EVERY_RUNNER = {"names", "list", "write", "turns"}


def read_options(module: str) -> set[str]:
    """The members of `options`, or of `context.options`, in the source of a module."""
    source = Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8")
    return {
        node.attr
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and "options" in (getattr(node.value, "id", ""), getattr(node.value, "attr", ""))
    }


@pytest.mark.parametrize("runner", [bench.run, validation.run], ids=lambda runner: str(runner.__name__))
def test_entries_read_what_is_declared_and_nothing_else(runner: ModuleType) -> None:
    parser = argparse.ArgumentParser()
    runner.add_options(parser)
    declared = set(vars(parser.parse_args([])))
    read = set[str]().union(*(read_options(entry.run.__module__) for entry in runner.ENTRIES))
    assert read - OF_EVERY_RUNNER == declared
