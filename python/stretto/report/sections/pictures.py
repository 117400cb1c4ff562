# SPDX-License-Identifier: BSD-3-Clause
"""The four pictures that every reader sees: what is hidden, what stays visible, latency, bandwidth."""

from collections.abc import Sequence

from stretto.report.blocks import Block, Group, present
from stretto.report.document import Document
from stretto.report.overlap_plots import hidden_plot, visible_plot
from stretto.report.sections import Section
from stretto.report.select import overlap
from stretto.report.transfer_plots import bandwidth_plot, latency_plot


def body(document: Document) -> Sequence[Block]:
    """Those of the four that were measured."""
    everything = overlap(document.results.rows)
    found = [
        hidden_plot(everything),
        visible_plot(everything),
        latency_plot(document),
        bandwidth_plot(document),
    ]
    drawn = present(found)
    return [Group("pair", drawn)] if drawn else []


SECTION = Section(20, "pictures", "In pictures", body, folded=False)
