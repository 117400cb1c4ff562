# SPDX-License-Identifier: BSD-3-Clause
"""The local changes that a trace and the syntax tree allow, source by source, and why others are refused."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from stretto.binaries.build_ids import Modules
from stretto.binaries.symbols import Frame
from stretto.data.groups import grouped
from stretto.data.program import Place
from stretto.data.sizes import said_share
from stretto.errors import UserError
from stretto.patch.candidates import Candidate, TraceEvidence
from stretto.patch.diff import LineMove, moved, unified
from stretto.patch.moves import Move, move_of
from stretto.patch.sources import CXX_SUFFIXES, FORTRAN_SUFFIXES, readable_source
from stretto.patch.statements import Statement
from stretto.potential.changes import MOVES_DURING_WORK
from stretto.potential.sites import DEFAULT_EAGER_BYTES

if TYPE_CHECKING:
    from stretto.patch.clang_source import ParsedSource

MIN_GAIN = 0.001
"""Fraction of the run's time below which a move is not worth a patch."""
_NO_BOUND = "a run that is not recorded computes less, and messages that meet others take longer"


@dataclass(frozen=True)
class Offer:
    """A move in a source, and the lines that stand above its diff. `gain_s` is promised, over all ranks."""

    path: Path
    move: LineMove
    gain_s: float = 0.0


@dataclass
class Offers:
    """What is offered, and what is not.

    Attributes:
        hints: Of sources without a syntax tree, one line each.
        refused: Why other candidates stay, one line each.
        texts: The sources that change, as they are.
    """

    offers: list[Offer] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    texts: dict[Path, bytes] = field(default_factory=dict)

    def patched(self) -> dict[Path, bytes]:
        """The new text of each source that changes."""
        return {
            path: moved(self.texts[path], [one.move for one in offers])
            for path, offers in grouped(self.offers, lambda one: one.path).items()
        }

    def diff(self, folder: Path) -> bytes:
        """The patch for a folder that holds the sources; empty: there is nothing to change."""
        parts = [f"# {line}\n".encode() for line in self.hints]
        for path, text in self.patched().items():
            lines = [line for one in self.offers if one.path == path for line in one.move.comment]
            parts += [f"# {line}\n".encode() for line in lines]
            parts.append(unified(path.relative_to(folder).as_posix(), self.texts[path], text))
        return b"".join(parts)


def offers_of(
    candidates: Sequence[Candidate],
    frames: Mapping[Place, Sequence[Frame]],
    modules: Modules,
    run_s: float,
    knows_network: bool,
) -> Offers:
    """The moves of all candidates that gain enough.

    Args:
        candidates: All call sites, in the order in which they are tried.
        frames: Of all their places.
        modules: Those whose files may be others now.
        run_s: The time of the run.
        knows_network: Whether messages have a cost; without one, the work that is crossed counts alone.

    Raises:
        UserError: libclang is not installed, or the MPI's compiler wrapper is missing.
    """
    shared = _Shared(candidates, frames, modules, run_s, knows_network)
    found = Offers()
    for one in candidates:
        if knows_network and one.work.uncovered_s < MIN_GAIN * run_s:
            continue
        reason = _offer(one, shared, found)
        if reason:
            found.refused.append(f"{one.where}: {one.work.call} stays, {one.kind} is refused: {reason}")
    return found


@dataclass(frozen=True)
class _Shared:
    """The arguments of `offers_of`, and the syntax trees; in place of a tree, why a source has none."""

    candidates: Sequence[Candidate]
    frames: Mapping[Place, Sequence[Frame]]
    modules: Modules
    run_s: float
    knows_network: bool
    parsed: dict[Path, ParsedSource | str] = field(default_factory=dict)


def _offer(one: Candidate, shared: _Shared, found: Offers) -> str:
    """Adds the move of a candidate, or a hint; returns why there is none."""
    if one.frame is None:
        return "there is no debug information; compile with -g"
    if not one.messages:
        return "the trace has not followed its data; record with --memory byte"
    path = Path(one.frame.path).resolve()
    try:
        text = readable_source(path, one.place[0], shared.modules)
    except UserError as error:
        return str(error)
    if path.suffix in FORTRAN_SUFFIXES:
        return _hint(one, shared.frames, found)
    if path not in shared.parsed:
        shared.parsed[path] = _parse(path, text)
    source = shared.parsed[path]
    block = source if isinstance(source, str) else source.block_of(one.frame.line)
    if isinstance(block, str):
        return block
    evidence = TraceEvidence(one.frame.path, one.kind, shared.candidates, shared.frames)
    move = move_of(block, one.frame.line, one.kind, evidence)
    if isinstance(move, str):
        return move
    moving = [each for each in block.statements if move.first <= each.first <= move.last]
    gain_s = evidence.promised_s(moving, move.crossed, shared.knows_network)
    if gain_s < MIN_GAIN * shared.run_s:
        over = f"the trace saw no work that would hide it in lines {_lines_over(move)}"
        return f"{over}; it goes no further: {move.stops}"
    promised = _promise(gain_s, moving, evidence, shared)
    line_move = LineMove(move.first, move.last, move.before, _comment(one, move, moving, evidence, promised))
    changed = [other.move.span for other in found.offers if other.path == path]
    if line_move.span in changed:
        return ""  # of a neighbour, with which it moves
    if any(_overlap(span, line_move.span) for span in changed):
        return "its lines are part of another change of this patch; apply that first"
    found.texts[path] = text
    found.offers.append(Offer(path, line_move, gain_s))
    return ""


def _promise(gain_s: float, moving: Sequence[Statement], evidence: TraceEvidence, shared: _Shared) -> str:
    """What a move gains, with all that it depends on."""
    share = f"about {said_share(gain_s / shared.run_s, 1)} of the run's time"
    promised = f"{share}, as it was recorded; no bound: {_NO_BOUND}"
    if not shared.knows_network:
        promised += ", as far as the messages take that long: their network is not known"
    if any(statement.call == "MPI_Send" for statement in moving):
        promised += "; MPI_Send waits for its receiver where MPI does not buffer the message"
    sites = [candidate.work for statement in moving for candidate in evidence.at(statement)]
    if any(site.size_bytes > DEFAULT_EAGER_BYTES * site.messages for site in sites):
        promised += f"; assumed: {MOVES_DURING_WORK}: a progress thread moves them"
    return promised


def _parse(path: Path, text: bytes) -> ParsedSource | str:
    """The syntax tree of a source; or why there is none."""
    try:
        from stretto.patch.clang_source import ParsedSource, parse_options
    except ImportError:
        raise UserError(
            "--patch needs libclang, which reads C and C++: pip install 'stretto[patch]'"
        ) from None
    name = "mpicxx" if path.suffix in CXX_SUFFIXES else "mpicc"
    wrapper = os.environ.get("STRETTO_CXX" if name == "mpicxx" else "STRETTO_CC") or name
    more = shlex.split(os.environ.get("CPPFLAGS", ""))
    try:
        return ParsedSource(path, text, parse_options(shutil.which(wrapper) or wrapper, path, more))
    except UserError as error:
        return str(error)


def _comment(
    one: Candidate, move: Move, moving: Sequence[Statement], evidence: TraceEvidence, promised: str
) -> tuple[str, ...]:
    """The lines above the diff."""
    sites = [candidate for statement in moving for candidate in evidence.at(statement)]
    messages = sum(candidate.messages for candidate in sites)
    lines = f"line {move.first}" if move.first == move.last else f"lines {move.first}-{move.last}"
    calls = ", ".join(dict.fromkeys(statement.call for statement in moving))
    seen = "accessed first" if move.kind == "wait later" else "stored to last"
    assumed = move.assumed or ("nothing; all memory that is touched is of known origin",)
    return (
        f"stretto: {move.kind}: {calls}, {one.where}: {lines} before line {move.before}",
        f"seen: the data of all {messages} messages followed; none was {seen} in lines {_lines_over(move)}",
        *(f"assumed: {text}" for text in assumed),
        f"stops: {move.stops}",
        f"promised: {promised}",
    )


def _lines_over(move: Move) -> str:
    first = min(one.first for one in move.crossed)
    last = max(one.last for one in move.crossed)
    return f"{first}-{last}"


def _hint(one: Candidate, frames: Mapping[Place, Sequence[Frame]], found: Offers) -> str:
    """Says of Fortran where the data is accessed; there is no syntax tree."""
    assert one.frame is not None
    here = one.frame
    lines = [
        frame.line
        for place in one.accesses
        for frame in frames.get(place, ())
        if (frame.path, frame.function) == (here.path, here.function)
    ]
    known = [line for line in lines if (line > here.line) == (one.kind == "wait later")]
    if not known or len(known) != len([place for place in one.accesses if place[1]]):
        return "Fortran: not all accesses to its data stand in lines of this routine"
    if one.kind == "wait later":
        what = f"the data of {one.messages} messages was accessed first in line {min(known)}"
    else:
        what = f"the data of {one.messages} messages was stored to last in line {max(known)}"
    here_only = "Fortran, line ranges only, nothing to apply"
    found.hints.append(
        f"stretto: {one.kind}: {one.work.call}, {one.where}: {here_only}: {what}; read what stands between"
    )
    return ""


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
