# SPDX-License-Identifier: BSD-3-Clause
"""`stretto fit`: a complete profile or one line of error."""

import json
from pathlib import Path

import pytest
from synthetic_samples import loggp_rows, write_samples

from stretto.commands.fit import fit as fit_command
from stretto.data.installed_profile import machine_keys
from stretto.data.profile import Machine
from stretto.data.profile_file import read_profile
from stretto.errors import UserError
from stretto.options.declare import read
from stretto.options.files import FitRequest

GOLDEN = Path(__file__).parents[2] / "golden"


def fit(paths: list[Path], output: Path | None, install: bool, torus: str | None = None) -> None:
    """The command, given texts of a command line."""
    texts = {"paths": [str(path) for path in paths], "install": install, "torus": torus, "force": True}
    fit_command(read(FitRequest, {**texts, "output": str(output) if output else None}))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The directory of a local run."""
    directory = tmp_path / "run"
    directory.mkdir()
    write_samples(directory / "samples.jsonl", loggp_rows(rounds=3), on="local", hosts=["b", "a"])
    return directory


def test_a_directory_gives_a_profile_and_a_table_of_80_columns(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fit([run], run / "profile.json", False)
    assert len(read_profile(run / "profile.json").loggp) == 2
    printed = capsys.readouterr().out
    assert str(run / "profile.json") in printed and "g_queue" in printed and "o_r" in printed
    assert max(len(line) for line in printed.splitlines() if str(run) not in line) <= 80


def test_the_torus_is_the_one_requested_or_that_of_the_simulated_platform(run: Path, tmp_path: Path) -> None:
    profile = run / "profile.json"
    fit([run], profile, False)
    assert read_profile(profile).torus == ()
    fit([run], profile, False, "4x2")
    assert read_profile(profile).torus == (4, 2)
    write_samples(tmp_path / "t3e.jsonl", loggp_rows(rounds=3), on="simulated", network="t3e")
    fit([tmp_path / "t3e.jsonl"], profile, False)
    assert read_profile(profile).torus == (8, 8, 8)


@pytest.mark.parametrize("torus", ["", "8x", "8x-1", "0x4", "99999x99999", "8," * 99])
def test_an_invalid_torus_is_refused(run: Path, torus: str) -> None:
    with pytest.raises(UserError, match=r"^--torus .{0,60}: is no torus; give 1 to 6 widths"):
        fit([run], run / "profile.json", False, torus)
    assert not (run / "profile.json").exists()


def test_a_cut_file_is_fitted_with_a_warning(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = run / "samples.jsonl"
    path.write_text(path.read_text()[:-10])
    fit([path], run / "profile.json", False)
    assert "cut" in capsys.readouterr().err and (run / "profile.json").exists()


def test_install_writes_the_profile_of_this_machine_where_the_runtime_looks(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    fit([run], None, True)
    installed = (
        tmp_path / "data" / "stretto" / "profiles" / f"{machine_keys(Machine(hosts=('a', 'b')))[0]}.json"
    )
    assert read_profile(installed).machine.on == "local"
    assert not (tmp_path / "profile.json").exists()


def test_without_a_data_directory_the_home_directory_is_used(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "relative/paths/do/not/count")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    fit([run], run / "also.json", True)
    assert len(list((tmp_path / "home/.local/share/stretto/profiles").glob("*.json"))) == 1
    assert (run / "also.json").exists()


@pytest.mark.parametrize("substrate", ["emulated", "simulated", "virtual"])
def test_a_profile_of_another_machine_is_never_installed(
    substrate: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = write_samples(tmp_path / "samples.jsonl", loggp_rows(rounds=3), on=substrate)
    with pytest.raises(UserError, match=f"is {substrate}; --install"):
        fit([path], tmp_path / "profile.json", True)
    assert not (tmp_path / "data").exists() and not (tmp_path / "profile.json").exists()


@pytest.mark.parametrize("name", ["results-1.0.json", "profile-1.0.json"])
def test_only_samples_are_fitted(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no samples file"):
        fit([GOLDEN / name], tmp_path / "profile.json", False)


def test_a_directory_without_samples_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"samples\.jsonl: no such file"):
        fit([tmp_path], tmp_path / "profile.json", False)


def test_bad_samples_leave_an_older_profile_as_it_was(run: Path) -> None:
    (run / "profile.json").write_text("{}")
    lines = (run / "samples.jsonl").read_text().splitlines(keepends=True)
    lines[5] = json.dumps({**json.loads(lines[5]), "time_s": -1}) + "\n"
    (run / "samples.jsonl").write_text("".join(lines))
    with pytest.raises(UserError, match=r"samples\.jsonl:6: time_s"):
        fit([run], run / "profile.json", False)
    assert (run / "profile.json").read_text() == "{}"
