# SPDX-License-Identifier: BSD-3-Clause
"""Writes C that calls every function of some headers with each of its arguments wrong, one at a time.

The functions are those that the headers declare. An interface has tables of what is right and what is wrong for an
argument, by its type and name. A parameter that they do not know is an error, and so is a function without a case: a
new one cannot be forgotten.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from fortran_interfaces import Function  # noqa: E402

Value = TypeVar("Value")


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str


@dataclass(frozen=True)
class Interface:
    """How the functions of an interface are called.

    Attributes:
        without_cases: Functions that no argument makes wrong.
        right: Gives a right value.
        wrong: Gives the wrong values, if there are any.
        checks: Gives the lines for a call with these arguments, of which a parameter's has a wrong value.
    """

    without_cases: set[str]
    right: Callable[[Function, Parameter], str]
    wrong: Callable[[Function, Parameter], Sequence[str]]
    checks: Callable[[Function, Parameter, str, Sequence[str]], Sequence[str]]

    def cases_of(self, function: Function) -> list[str]:
        """The lines of all calls of a function."""
        if function.name in self.without_cases:
            return []
        parameters = [_parameter_of(one) for one in function.parameters]
        lines: list[str] = []
        for place, parameter in enumerate(parameters):
            for value in self.wrong(function, parameter):
                arguments = [self.right(function, one) for one in parameters]
                arguments[place] = value
                lines += (f"  {check};" for check in self.checks(function, parameter, value, arguments))
        if not lines:
            raise SystemExit(f"{function.name}: has no case; add one, or name it in WITHOUT_CASES")
        return lines

    def write(self, out: Path, functions: Sequence[Function], more: Sequence[str] = ()) -> None:
        """Writes the file, with these lines at its end."""
        lines = [
            "/* Made by wrong_arguments.py. */",
            '#include "wrong_arguments.h"',
            "",
            "void call_everything_wrong(void) {",
        ]
        for function in functions:
            lines += self.cases_of(function)
        out.write_text("\n".join([*lines, "}", *more, ""]), encoding="utf-8")


def found_in(table: Mapping[str, Value], function: Function, parameter: Parameter) -> Value | None:
    """What a table has for a parameter: by `function.name`, by `type name`, or by its name."""
    keys = (f"{function.name}.{parameter.name}", f"{parameter.type} {parameter.name}", parameter.name)
    return next((table[key] for key in keys if key in table), None)


def _parameter_of(text: str) -> Parameter:
    found = re.fullmatch(r"(.*?)\s*(\w+)(\[\])?", text)
    if found is None:
        raise SystemExit(f"cannot read the parameter `{text}`")
    return Parameter(found[1] + (found[3] or ""), found[2])
