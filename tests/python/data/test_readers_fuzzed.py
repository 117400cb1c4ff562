# SPDX-License-Identifier: BSD-3-Clause
"""Reading a damaged file gives its content or one line of error, and no other exception or hang."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from later_samples import later_samples

from stretto.data.files import artefact_kind
from stretto.data.profile_file import read_profile
from stretto.data.results import read_results
from stretto.data.samples import read_samples
from stretto.errors import UserError

GOLDEN = Path(__file__).parents[2] / "golden"
LATER = "samples-1.7.jsonl"
READERS: dict[str, Callable[[Path], object]] = {
    "samples-1.0.jsonl": read_samples,
    LATER: read_samples,
    "results-1.0.json": read_results,
    "profile-1.0.json": read_profile,
    "profile-by-hand.json": read_profile,
}
fuzzed = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ODD_VALUES = (
    b"NaN",
    b"-Infinity",
    b"1e400",
    b"-1",
    b"1e-400",
    b"9" * 400,
    b"null",
    b"true",
    b"[]",
    b"{}",
    b'""',
    b'"x"',
    b"0.5",
    b"[" * 5000,
    b'"\\ud800"',
    b'"\\u0000"',
    b"18446744073709551616",
)


def read_or_refuse(name: str, path: Path) -> None:
    for read in (READERS[name], artefact_kind):
        try:
            read(path)
        except UserError as error:
            message = str(error)
            assert message and "\n" not in message and len(message) < 1000, message


@st.composite
def mutations(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes of a file with one to three mutations."""
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("truncate", "flip", "delete", "double", "swap", "insert", "value")))
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        if kind == "truncate":
            data = data[:place]
        elif kind == "flip" and data:
            flipped = data[place] ^ (1 << draw(st.integers(0, 7)))
            data = data[:place] + bytes((flipped,)) + data[place + 1 :]
        elif kind == "insert":
            data = data[:place] + draw(st.binary(min_size=1, max_size=8)) + data[place:]
        elif kind == "value":
            colon = data.find(b":", place)
            end = min(
                (i for i in (data.find(b",", colon), data.find(b"}", colon)) if i > 0), default=len(data)
            )
            data = data[: colon + 1] + draw(st.sampled_from(ODD_VALUES)) + data[end:]
        else:
            lines = data.splitlines(keepends=True)
            if len(lines) > 1:
                i, j = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
                if kind == "swap":
                    lines[i], lines[j] = lines[j], lines[i]
                elif kind == "delete":
                    del lines[i]
                else:
                    lines.insert(j, lines[i])
            data = b"".join(lines)
    return data


@pytest.mark.parametrize("name", READERS)
@fuzzed
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused(name: str, data: st.DataObject, tmp_path: Path) -> None:
    path = tmp_path / name
    whole = later_samples() if name == LATER else (GOLDEN / name).read_bytes()
    path.write_bytes(data.draw(mutations(whole)))
    read_or_refuse(name, path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("name", ["samples-1.0.jsonl", "results-1.0.json", "profile-by-hand.json"])
@fuzzed
@given(data=st.data())
def test_any_value_in_place_of_any_member_is_read_or_refused(
    name: str, data: st.DataObject, tmp_path: Path
) -> None:
    """Mutations of the structure, which mutations of bytes rarely produce."""
    text = (GOLDEN / name).read_text()
    lines = text.splitlines() if name.endswith("l") else [text]
    place = data.draw(st.integers(0, len(lines) - 1))
    root = node = json.loads(lines[place])
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if not (isinstance(node[key], dict | list) and node[key] and data.draw(st.booleans())):
            break
        node = node[key]
    node[key] = data.draw(json_values)
    lines[place] = json.dumps(root)
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogatepass")
    read_or_refuse(name, path)


@fuzzed
@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "anything"
    path.write_bytes(content)
    for name in READERS:
        read_or_refuse(name, path)
