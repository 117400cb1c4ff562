# SPDX-License-Identifier: BSD-3-Clause
"""Shows the run of a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stretto.data.sizes import shown_duration
from stretto.report.screen import Part

_SHOWN = (
    "kernel",
    "class",
    "variant",
    "transport",
    "moved_by",
    "ranks",
    "time_s",
    "mops",
    "verified",
    "timers",
    "messages",
    "choice",
)


def run_view(document: Mapping[str, Any]) -> Iterator[Part]:
    """The document for people: what it was, what it took, on what its ranks spent it, what else the kernel
    says.
    """
    size = f" class {document['class']}" if document["class"] else ""
    yield (
        f"{document['kernel']}{size}, {document['variant']}, "
        f"over {document.get('moved_by', document['transport'])}, {document['ranks']} ranks"
    )
    parts = ", ".join(f"{name} {shown_duration(seconds)}" for name, seconds in document["timers"].items())
    yield (
        f"  {shown_duration(document['time_s'])}, {document['mops']:.4g} Mop/s, "
        f"{document['messages']} messages"
    )
    if parts:
        yield f"  {'at most, of any rank:' if document['ranks'] > 1 else 'of it'} {parts}"
    for name, value in document.items():
        if name not in _SHOWN:
            yield f"  {name} {_text_of(value)}"
    if "choice" in document:
        line = _jacobi_choice if document["kernel"] == "jacobi" else _choice
        yield f"  {line(document['choice'])}"
    yield "  verified" if document["verified"] else "  WRONG"


def _text_of(value: Any) -> str:
    if isinstance(value, list):  # one a rank
        return " ".join(map(_text_of, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _choice(choice: Mapping[str, Any]) -> str:
    """Member `choice` for people."""
    count = len(choice["candidates"])
    text = f"chosen by timing {count} variants, one step {shown_duration(choice['measured_s'])}"
    plain = choice["without_overlap"]
    if plain is None:
        return text
    took = shown_duration(plain["measured_s"])
    return f"{text}; without overlap {plain['variant']} over {plain['transport']} {took}"


def _jacobi_choice(choice: Mapping[str, Any]) -> str:
    """Member `choice` for people."""
    text = f"chosen by {choice['profile']}: {choice['predicted_s']:.4g} s an iteration predicted"
    flat = choice["flat"]
    return f"{text}; flat by {flat['layout']} {flat['predicted_s']:.4g} s" if flat else text
