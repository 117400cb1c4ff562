# SPDX-License-Identifier: BSD-3-Clause
"""The page's colours can be read, in light and dark; its parts work with a keyboard."""

import re

import pytest
from test_report_html import Page, without_plotly

from stretto.report.html import resource

TEXT, GRAPHICS = 4.5, 3.0  # WCAG 2.1, level AA
PALETTES = {
    name: dict(re.findall(r"(--[a-z0-9-]+): (#[0-9a-f]{6});", resource(name)))
    for name in ("style.css", "dark.css")
}


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("file", PALETTES)
def test_text_and_marks_stand_out(file: str) -> None:
    palette = PALETTES[file]
    for paper in ("--paper", "--card", "--wash"):
        for ink in ("--ink", "--ink-soft", "--accent"):
            assert contrast(palette[ink], palette[paper]) >= TEXT, (ink, paper)
    assert contrast(palette["--ink-faint"], palette["--paper"]) >= TEXT
    for index in range(1, 7):
        assert contrast(palette[f"--series-{index}"], palette["--paper"]) >= GRAPHICS, index


def test_what_can_be_clicked_can_be_reached_with_a_keyboard(local_html: str) -> None:
    page = Page(without_plotly(local_html))
    for tag, attributes in page.elements:
        assert "onclick" not in attributes, tag
        assert int(attributes.get("tabindex") or 0) >= 0, tag
        if tag == "a":
            assert attributes.get("href")
        if tag == "button":
            assert attributes.get("type") == "button"
    # Tables that scroll take the focus, and have a name.
    scrolls = [a for a in page.named("div") if a.get("class") == "scroll"]
    assert scrolls and all(a.get("tabindex") == "0" and a.get("aria-label") for a in scrolls)


def test_every_table_has_a_caption_and_heads(local_html: str) -> None:
    text = without_plotly(local_html)
    tables = re.findall(r"<table>.*?</table>", text, re.S)
    assert len(tables) == text.count("<table") > 0
    for table in tables:
        assert "<caption>" in table and '<th scope="col"' in table


def test_without_scripts_the_figures_are_in_tables(local_html: str) -> None:
    text = local_html
    assert "<noscript>" in text
    assert "The pictures need JavaScript. Their figures are in the table below each." in text
