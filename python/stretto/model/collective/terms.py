# SPDX-License-Identifier: BSD-3-Clause
"""What the coefficients of a runtime function are multiplied with: the factors of p and of b in its terms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stretto.data.collectives import CouplingTerm, Term
from stretto.model.collective.contention import link_time, overheads
from stretto.model.collective.programs import ALONE, ROOTED, Placement

Floats = npt.NDArray[np.float64]


def stages(members: Floats) -> Floats:
    """The depth of a binomial tree over p processes, ceil(log2 p): broadcast times rise in these stages."""
    found: Floats = np.ceil(np.log2(members))
    return found


def _published_reduce_stages(members: Floats) -> Floats:
    """floor(log2(p - 1)) of table 1's reduce: a stage fewer than the tree has; 0 for p = 1 and 2."""
    found: Floats = np.floor(np.log2(np.maximum(members - 1, 1)))
    return found


def tree_sends(members: Floats) -> Floats:
    """The sends of all ranks on the longest path of a binomial tree, 0 - 1 - 3 - ...: n (n+1)/2 for p = 2^n.

    Where a send returns before its message is out (eager), a rank's messages share its link and all arrive
    when the last does: a path takes as many messages' time as its ranks send, instead of one a stage.
    """
    rank, total = np.ones_like(members), np.zeros_like(members)  # rank + 1 of the path's next
    while True:
        left = members - rank
        sends = np.where(left >= rank, np.floor(np.log2(np.maximum(left, 1))) - np.log2(rank) + 1, 0)
        if not sends.any():
            return total
        total, rank = total + sends, 2 * rank


OF_P: Mapping[str, Callable[[Floats], Floats]] = {
    "1": lambda p: np.ones_like(p),
    "p": lambda p: p,
    "p-1": lambda p: p - 1,
    "log2-p": np.log2,
    "ceil-log2-p": stages,
    "floor-log2-(p-1)": _published_reduce_stages,
    "p-log2-p": lambda p: p * np.log2(p),
    "p-ceil-log2-p": lambda p: p * stages(p),
    "tree-sends": tree_sends,
}
OF_B: Mapping[str, Callable[[Floats], Floats]] = {"1": lambda b: np.ones_like(b), "b": lambda b: b}


@dataclass(frozen=True)
class Site:
    """Who takes part in a call, and where: what factors rest on that know the operation's messages.

    `members` is p of the call or of a phase's group, `torus` the network's widths (none: a switch).
    """

    operation: str
    members: int
    placement: Placement = ALONE
    torus: tuple[int, ...] = ()


# Factors that know the messages of the reference algorithms (`contention`).
OF_MESSAGES: Mapping[str, Callable[[Site], float]] = {
    "overheads": lambda at: float(overheads(at.operation, at.members)),
    "links-eager": lambda at: link_time(at.operation, at.members, at.placement, at.torus, False),
    "links-in-turn": lambda at: link_time(at.operation, at.members, at.placement, at.torus, True),
}


def factors_of_messages(sites: Sequence[Site]) -> dict[str, Floats]:
    """All of OF_MESSAGES at points of shape (n,); none where an operation's messages are not known."""
    if not sites or any(site.operation not in ROOTED for site in sites):
        return {}
    return {name: np.array([of(site) for site in sites]) for name, of in OF_MESSAGES.items()}


def design(
    terms: Sequence[tuple[str, str]],
    members: Floats,
    size_bytes: Floats,
    of_messages: Mapping[str, Floats],
) -> Floats:
    """The value of every term at every point, without its coefficient.

    Args:
        terms: (of_p, of_b) of each.
        members: p of each point, shape (n,).
        size_bytes: b of each point, shape (n,).
        of_messages: Factors that rest on more than p, by name, shape (n,) each.

    Returns:
        Shape (n, terms); times a coefficient, seconds.
    """
    columns = [
        (of_messages[of_p] if of_p in OF_MESSAGES else OF_P[of_p](members)) * OF_B[of_b](size_bytes)
        for of_p, of_b in terms
    ]
    return np.stack(columns, axis=1)


def coupling_s(terms: Sequence[CouplingTerm], rows: int, columns: int, size_bytes: int) -> float:
    """Seconds to add to the sum of the phases on p1 = `rows` by p2 = `columns`; may be negative."""
    p1, p2, b = (np.array([float(x)]) for x in (rows, columns, size_bytes))
    return sum(
        (t.coefficient.value or 0.0) * float((OF_P[t.of_p1](p1) * OF_P[t.of_p2](p2) * OF_B[t.of_b](b))[0])
        for t in terms
    )


def sum_of_terms_s(terms: Sequence[Term], site: Site, size_bytes: float) -> float:
    """t(p, b) of one function, in seconds; negative where its coefficients make it so."""
    p, b = np.array([float(site.members)]), np.array([float(size_bytes)])
    known = {
        term.of_p: np.array([OF_MESSAGES[term.of_p](site)]) for term in terms if term.of_p in OF_MESSAGES
    }
    values = design([(term.of_p, term.of_b) for term in terms], p, b, known)[0]
    coefficients = np.array([term.coefficient.value or 0.0 for term in terms])
    return float(values @ coefficients)
