# SPDX-License-Identifier: BSD-3-Clause
"""What stands behind the names of actions in SimGrid's time-independent traces: sizes, roots and flops."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

# fmt: off
TYPE_BYTES = (
    8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1,  # MPI_DOUBLE, MPI_INT, MPI_CHAR, ..., MPI_C_BOOL
    1, 2, 4, 8, 1, 2, 4, 8, 8, 16, 32, 8, 8,  # MPI_INT8_T, ..., MPI_C_LONG_DOUBLE_COMPLEX, ..., MPI_OFFSET
    8, 16, 16, 8, 8, 8, 16, 16,  # MPI_FLOAT_INT, ..., MPI_2LONG
    4, 4, 8, 16, 8, 16, 32, 4, 2, 4, 8, 16, 32,  # Fortran's, and MPI_LONG_DOUBLE_INT
)
# fmt: on
"""Sizes of the datatypes by their numbers in SimGrid 3.32."""


class UnknownSizeError(ValueError):
    """A derived datatype: the trace has the number of its elements only."""


class ActionWords:
    """The words of an action behind its name; an IndexError is one word too few."""

    def __init__(self, words: Sequence[str], default_bytes: int) -> None:
        self._words, self._default_bytes = words, default_bytes

    def __len__(self) -> int:
        return len(self._words)

    def number(self, at: int) -> float:
        """A nonnegative number."""
        value = float(self._words[at])
        if not 0 <= value < math.inf:
            raise ValueError(f"{self._words[at]} is no number of flops, elements or seconds")
        return value

    def rank(self, at: int, default: int | None = None) -> int:
        return int(self._words[at]) if default is None or at < len(self) else default

    def sizes(self, first: int, count: int) -> list[float]:
        return [self.number(first + one) for one in range(count)]

    def type_bytes(self, at: int) -> int:
        """The size of a datatype; that of the trace's default one where none is given.

        Raises:
            UnknownSizeError: The trace does not say the size.
        """
        if at >= len(self):
            return self._default_bytes
        number = int(self._words[at])
        if not 0 <= number < len(TYPE_BYTES):
            raise UnknownSizeError
        return TYPE_BYTES[number]


Collective: TypeAlias = tuple[int, int, int | None, float]
"""Bytes sent, bytes received, the root, and flops that follow."""


def _vector(words: ActionWords, _: int) -> Collective:
    size = words.number(0) * words.type_bytes(2)
    return int(size), 0, None, words.number(1)


def _bcast(words: ActionWords, _: int) -> Collective:
    return int(words.number(0) * words.type_bytes(2)), 0, words.rank(1, 0), 0.0


def _reduce(words: ActionWords, _: int) -> Collective:
    return int(words.number(0) * words.type_bytes(3)), 0, words.rank(2, 0), words.number(1)


def _gather(words: ActionWords, ranks: int) -> Collective:
    sent, received = words.number(0) * words.type_bytes(3), words.number(1) * words.type_bytes(4)
    return int(sent), int(received * ranks), words.rank(2, 0), 0.0


def _scatter(words: ActionWords, ranks: int) -> Collective:
    sent, received = words.number(0) * words.type_bytes(3), words.number(1) * words.type_bytes(4)
    return int(sent * ranks), int(received), words.rank(2, 0), 0.0


def _all_blocks(sent_to: Callable[[int], int]) -> Callable[[ActionWords, int], Collective]:
    """A collective with a block from each rank; a rank sends as many blocks as `sent_to` says."""

    def read(words: ActionWords, ranks: int) -> Collective:
        sent, received = words.number(0) * words.type_bytes(2), words.number(1) * words.type_bytes(3)
        return int(sent * sent_to(ranks)), int(received * ranks), None, 0.0

    return read


def _gatherv(words: ActionWords, ranks: int) -> Collective:
    sent, blocks = words.number(0), words.sizes(1, ranks)
    sent_bytes, received_bytes = words.type_bytes(ranks + 2), words.type_bytes(ranks + 3)
    return int(sent * sent_bytes), int(sum(blocks) * received_bytes), words.rank(ranks + 1, 0), 0.0


def _scatterv(words: ActionWords, ranks: int) -> Collective:
    blocks, received = words.sizes(0, ranks), words.number(ranks)
    sent_bytes, received_bytes = words.type_bytes(ranks + 2), words.type_bytes(ranks + 3)
    return int(sum(blocks) * sent_bytes), int(received * received_bytes), words.rank(ranks + 1, 0), 0.0


def _allgatherv(words: ActionWords, ranks: int) -> Collective:
    sent, blocks = words.number(0), words.sizes(1, ranks)
    sent_bytes, received_bytes = words.type_bytes(ranks + 1), words.type_bytes(ranks + 2)
    return int(sent * sent_bytes), int(sum(blocks) * received_bytes), None, 0.0


def _alltoallv(words: ActionWords, ranks: int) -> Collective:
    sent, received = words.sizes(1, ranks), words.sizes(ranks + 2, ranks)
    sent_bytes, received_bytes = words.type_bytes(2 * ranks + 2), words.type_bytes(2 * ranks + 3)
    return int(sum(sent) * sent_bytes), int(sum(received) * received_bytes), None, 0.0


def _reduce_scatter(words: ActionWords, ranks: int) -> Collective:
    size = sum(words.sizes(0, ranks)) * words.type_bytes(ranks + 1)
    return int(size), 0, None, words.number(ranks)


COLLECTIVES: Mapping[str, tuple[str, Callable[[ActionWords, int], Collective]]] = {
    "barrier": ("MPI_Barrier", lambda words, ranks: (0, 0, None, 0.0)),
    "bcast": ("MPI_Bcast", _bcast),
    "reduce": ("MPI_Reduce", _reduce),
    "allreduce": ("MPI_Allreduce", _vector),
    "scan": ("MPI_Scan", _vector),
    "exscan": ("MPI_Exscan", _vector),
    "gather": ("MPI_Gather", _gather),
    "scatter": ("MPI_Scatter", _scatter),
    "allgather": ("MPI_Allgather", _all_blocks(lambda ranks: 1)),
    "alltoall": ("MPI_Alltoall", _all_blocks(lambda ranks: ranks)),
    "gatherv": ("MPI_Gatherv", _gatherv),
    "scatterv": ("MPI_Scatterv", _scatterv),
    "allgatherv": ("MPI_Allgatherv", _allgatherv),
    "alltoallv": ("MPI_Alltoallv", _alltoallv),
    "reducescatter": ("MPI_Reduce_scatter", _reduce_scatter),
}
