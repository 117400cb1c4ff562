# SPDX-License-Identifier: BSD-3-Clause
"""Build ids are read from notes, and no damaged file is an error."""

import struct
from pathlib import Path

import pytest

from stretto.binaries.build_ids import Modules, build_id_of


def elf(notes: bytes, align: int = 4) -> bytes:
    """A file with one segment of notes."""
    head = bytearray(64)
    head[:6] = b"\x7fELF\x02\x01"
    struct.pack_into("<Q", head, 32, 64)
    struct.pack_into("<HH", head, 54, 56, 1)
    return bytes(head) + struct.pack("<IIQQQQQQ", 4, 4, 120, 0, 0, len(notes), len(notes), align) + notes


def note(kind: int, name: bytes, content: bytes, step: int = 4) -> bytes:
    head = struct.pack("<III", len(name), len(content), kind) + name
    head += bytes(-len(head) % step)
    return head + content + bytes(-len(content) % step)


ID = bytes(range(20))


@pytest.mark.parametrize("step", [4, 8])
def test_the_build_id_is_found_among_other_notes(step: int, tmp_path: Path) -> None:
    notes = (
        note(5, b"GNU\0", bytes(16), step) + note(3, b"Go\0\0", b"other", step) + note(3, b"GNU\0", ID, step)
    )
    file = tmp_path / "app"
    file.write_bytes(elf(notes, step))
    assert build_id_of(str(file)) == ID.hex()


def test_damaged_files_have_none(tmp_path: Path) -> None:
    whole = elf(note(3, b"GNU\0", ID))
    file = tmp_path / "app"
    assert build_id_of(str(file)) == "" and build_id_of(str(tmp_path)) == ""
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert ID.hex() != build_id_of(str(file))
    for at in range(0, len(whole)):
        damaged = bytearray(whole)
        damaged[at] = 0xFF
        file.write_bytes(bytes(damaged))
        build_id_of(str(file))


def test_one_sentence_names_what_has_changed() -> None:
    assert Modules().sentences() == []
    many = Modules(frozenset({"/b", "/a", "/c"}), frozenset({"/d"}))
    assert [text.partition(":")[0] for text in many.sentences()] == ["/a and 2 more", "/d"]
