# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a release's tag, files and `stretto --version` agree. Usage: `release_check.py vVERSION`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACES: Mapping[str, str] = {
    "pyproject.toml": r'^version = "([^"]+)"',
    "CITATION.cff": r"^version: (\S+)",
    "CHANGELOG.md": r"^## (\d\S*)",
}


def versions(root: Path) -> dict[str, str]:
    """The version that each file names; of the change log, its first heading with one."""
    result = {}
    for name, pattern in PLACES.items():
        found = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.MULTILINE)
        result[name] = found[1] if found else "none"
    return result


def installed(root: Path) -> str:
    """What `stretto --version` of the source tree prints."""
    command = [str(root / ".venv" / "bin" / "stretto"), "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1]


def differences(tag: str, named: Mapping[str, str]) -> list[str]:
    """One line for each place that does not name the tag's version."""
    return [f"{place}: {version}, not {tag}" for place, version in named.items() if f"v{version}" != tag]


def main() -> None:
    """Prints what differs, and exits with 1 where something does."""
    if len(sys.argv) != 2 or not sys.argv[1].startswith("v"):
        sys.exit("usage: release_check.py vVERSION")
    wrong = differences(sys.argv[1], {**versions(ROOT), "stretto --version": installed(ROOT)})
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
