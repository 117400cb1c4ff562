# SPDX-License-Identifier: BSD-3-Clause
"""Errors of the conversion of OTF2 archives; tests/system/test_otf2.py converts archives."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from stretto.data import otf2_conversion


def failing(error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What the program prints where the conversion raises this error."""

    def convert(path: Path, directory: Path) -> None:
        assert (str(path), str(directory)) == ("run/traces.otf2", "out")
        raise error

    monkeypatch.setattr(otf2_conversion, "convert", convert)
    assert otf2_conversion.main(["run/traces.otf2", "out"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("two\n  lines"), "two lines"),
        (KeyError(), "KeyError"),
        (RuntimeError(" "), "RuntimeError"),
    ],
)
def test_an_error_is_one_line(
    error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = f"run/traces.otf2: is no OTF2 archive that can be read ({reason}); write it again\n"
    assert failing(error, monkeypatch, capsys) == expected


def test_a_missing_package_is_named_with_its_installation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = failing(ImportError(), monkeypatch, capsys)
    assert text == f"the Python package otf2 is not installed: {otf2_conversion._INSTALL}\n"


def test_a_converted_archive_gives_no_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(otf2_conversion, "convert", lambda path, directory: Counter())
    assert otf2_conversion.main(["run/traces.otf2", "out"]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_most_frequent_of_what_is_left_out_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left_out = Counter({f"RmaPut{number}": number for number in range(1, 8)})
    monkeypatch.setattr(otf2_conversion, "convert", lambda path, directory: left_out)
    assert otf2_conversion.main(["run/traces.otf2", "out"]) == 0
    text = "not understood: 7 RmaPut7, 6 RmaPut6, 5 RmaPut5, 4 RmaPut4, 3 RmaPut3, 3 others\n"
    assert capsys.readouterr() == ("", text)
