# SPDX-License-Identifier: BSD-3-Clause
"""Renders the Markdown of the project as HTML that needs no network, and checks every link within it.

Usage: `build_docs.py OUTPUT-DIRECTORY`; exit status 1 when a link leads nowhere.
"""

from __future__ import annotations

import html
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
pre, code { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow-x: auto; padding: .8rem; border: 1px solid #8886; border-radius: .3rem; }
table { border-collapse: collapse; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #8886; text-align: left; }
img { max-width: 100%; }
"""


@dataclass(frozen=True)
class Page:
    """One Markdown file: its text as HTML, where its links lead, and the places that can be linked to."""

    source: Path
    body: str
    links: tuple[str, ...]
    anchors: frozenset[str]


def sources(root: Path) -> list[Path]:
    """The Markdown files for readers: at the top and under docs/."""
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])


def anchor(heading: str) -> str:
    """The name of a heading in a link, as the usual hosts of Git repositories make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def render(source: Path) -> Page:
    """Markdown (CommonMark and tables) to HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(source.read_text(encoding="utf-8"))
    anchors = set()
    links = []
    for before, token in zip(tokens, tokens[1:]):
        if before.type == "heading_open":
            before.attrSet("id", anchor(token.content))
            anchors.add(anchor(token.content))
    for token in tokens:
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if target is not None:
                links.append(str(target))
                if child.type == "link_open":
                    child.attrSet("href", re.sub(r"\.md(?=#|$)", ".html", str(target)))
    body = markdown.renderer.render(tokens, markdown.options, {})
    return Page(source, body, tuple(links), frozenset(anchors))


def broken_links(pages: dict[Path, Page]) -> Iterator[str]:
    """One line for every relative link to a file or heading that is not there. The network is not asked."""
    for page in pages.values():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            file, _, heading = link.partition("#")
            target = (page.source.parent / file).resolve() if file else page.source
            if not target.exists():
                yield f"{page.source}: link to {link}: no such file"
            elif heading and target in pages and heading not in pages[target].anchors:
                yield f"{page.source}: link to {link}: no such heading"


def main() -> int:
    """Writes the pages below the output directory, in the layout of the sources."""
    output = Path(sys.argv[1])
    pages = {source: render(source) for source in sources(ROOT)}
    shutil.rmtree(output, ignore_errors=True)
    for source, page in pages.items():
        target = (output / source.relative_to(ROOT)).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        title = f"<title>{html.escape(source.stem)}</title>"
        text = f"<!doctype html><meta charset=utf-8>{title}<style>{STYLE}</style>\n{page.body}"
        target.write_text(text, encoding="utf-8")
    for picture in (path for path in (ROOT / "docs").rglob("*") if path.suffix in (".svg", ".png")):
        copy = output / picture.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, copy)
    broken = list(broken_links(pages))
    for line in broken:
        print(line, file=sys.stderr)
    print(f"{len(pages)} pages in {output}/")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
