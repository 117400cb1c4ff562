# SPDX-License-Identifier: BSD-3-Clause
"""The page's sections: `SECTION` or `SECTIONS` of every module here. A new one is one more file."""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stretto.report.blocks import Block
from stretto.report.document import Document


@dataclass(frozen=True)
class Section:
    """A part of the page. `body` is empty where the document has nothing for it; `order` is its place.

    The page folds all parts but the answer and the pictures, which are for every reader.
    """

    order: int
    anchor: str
    title: str
    body: Callable[[Document], Sequence[Block]]
    folded: bool = True


def discover() -> list[Section]:
    """All sections in the order in which they stand on the page."""
    modules = (importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    result = [s for m in modules for s in getattr(m, "SECTIONS", None) or (m.SECTION,)]
    return sorted(result, key=lambda section: (section.order, section.anchor))
