# SPDX-License-Identifier: BSD-3-Clause
"""Where answers of `stretto-model` differ from those of a golden sample."""

from collections.abc import Callable, Mapping

TOLERANCE = 1e-9
Scale = Callable[[Mapping[str, object]], float]


def differences(
    result: object, expected: object, path: str, scale: float = 0.0, scale_of: Scale | None = None
) -> list[str]:
    """Where two answers differ by more than TOLERANCE of the value, or of `scale` where it is a small difference.

    `scale_of` gives the scale within a mapping, where it is larger.
    """
    if isinstance(expected, dict) and isinstance(result, dict):
        if result.keys() != expected.keys():
            return [f"{path}: {sorted(result)} instead of {sorted(expected)}"]
        if scale_of is not None:
            scale = max(scale, scale_of(expected))
        return [
            d for k in expected for d in differences(result[k], expected[k], f"{path}.{k}", scale, scale_of)
        ]
    if isinstance(expected, list) and isinstance(result, list):
        if len(result) != len(expected):
            return [f"{path}: {len(result)} items instead of {len(expected)}"]
        pairs = enumerate(zip(result, expected, strict=True))
        return [d for i, (a, b) in pairs for d in differences(a, b, f"{path}[{i}]", scale, scale_of)]
    if isinstance(expected, float) and isinstance(result, int | float):
        close = abs(result - expected) <= TOLERANCE * max(abs(expected), scale)
        return [] if close else [f"{path}: {result} instead of {expected}"]
    return [] if result == expected else [f"{path}: {result!r} instead of {expected!r}"]
