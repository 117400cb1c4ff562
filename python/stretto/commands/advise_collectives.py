# SPDX-License-Identifier: BSD-3-Clause
"""Advice on collectives: for each operation and size flat, a grid, or undecided, with the gain to expect."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console

from stretto.commands.collective_options import most_members, own_sizes
from stretto.commands.collective_view import best_cell, duration, gain_interval, new_table, percent
from stretto.data.profile import Profile
from stretto.data.sizes import format_size
from stretto.model.collective.choice import Choice, choose
from stretto.model.collective.functions import Functions


def collective_choices(profile: Profile, ranks: int | None) -> list[Choice]:
    """One choice an operation and size; none where the profile has no functions of the library's collectives.

    Args:
        profile: Whose runtime functions are asked.
        ranks: p; None for the profile's own or, where it does not say, the most that its functions reach.
    """
    functions = Functions.of(profile)
    operations = functions.operations()
    if not operations:
        return []
    members = ranks or profile.machine.ranks or most_members(functions)
    return [
        choose(functions, operation, members, size)
        for operation in operations
        for size in own_sizes(functions)
    ]


def print_collective_choices(choices: Sequence[Choice]) -> None:
    """One table: operation and size, what to use, what it gains over flat."""
    console = Console(width=None if sys.stdout.isatty() else 80, highlight=False)
    console.print(f"collectives among {choices[0].members}: gain of the best grid over flat, 95 %")
    table = new_table("operation", "use", "size", "flat", "best", "gain", "95 %")
    last = ""
    for choice in choices:
        table.add_row(
            choice.operation if choice.operation != last else "",
            choice.use,
            format_size(choice.size_bytes),
            duration(choice.flat),
            best_cell(choice),
            percent(choice.gain.value) if choice.gain else "-",
            gain_interval(choice.gain),
        )
        last = choice.operation
    console.print(table)
    for reason in dict.fromkeys(choice.reason for choice in choices if choice.reason):
        console.print(f"  {reason}", soft_wrap=True)
