# SPDX-License-Identifier: BSD-3-Clause
"""Functions of libraries whose whole effect is known."""

from __future__ import annotations

from collections.abc import Mapping

_POWERS = "sqrt cbrt pow hypot exp exp2 expm1 log log2 log10 log1p erf erfc tgamma"
_ANGLES = "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh"
_ROUNDED = "fabs floor ceil trunc round rint nearbyint fmod remainder fmin fmax fdim fma copysign"
_WHOLE = "abs labs llabs div ldiv isnan isinf isfinite signbit min max"

_OF_REALS = f"{_POWERS} {_ANGLES} {_ROUNDED}".split()

PURE = frozenset([name + suffix for name in _OF_REALS for suffix in ("", "f", "l")] + _WHOLE.split())
"""They compute a value from their arguments, and touch no memory but errno."""

TOUCHES: Mapping[str, tuple[frozenset[int], frozenset[int]]] = {
    "memcpy": (frozenset({1}), frozenset({0})),
    "memmove": (frozenset({1}), frozenset({0})),
    "memset": (frozenset(), frozenset({0})),
    "memcmp": (frozenset({0, 1}), frozenset()),
    "strlen": (frozenset({0}), frozenset()),
}
"""The arguments behind which they load, and store."""

ALLOCATE = frozenset({"malloc", "calloc", "aligned_alloc", "operator new[]", "operator new"})
"""They return memory that nothing else points to."""

ALLOCATE_BEHIND: Mapping[str, int] = {"MPI_Alloc_mem": 2, "posix_memalign": 0}
"""The argument behind which they store a pointer to such memory."""

ELEMENTS = frozenset({"operator[]", "at", "data", "begin", "end", "front", "back", "size", "empty"})
"""Methods of std::vector, std::array and std::span that give access to what the object holds."""

HOLDERS = ("vector<", "array<")
"""Types of namespace std with memory of their own."""
