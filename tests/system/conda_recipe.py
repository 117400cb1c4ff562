# SPDX-License-Identifier: BSD-3-Clause
"""packaging/conda/recipe.yaml as the tool that builds conda-forge's packages reads it."""

from pathlib import Path
from typing import Any

from rattler_build import Stage0Recipe, VariantConfig

RECIPE = Path(__file__).resolve().parents[2] / "packaging" / "conda" / "recipe.yaml"
_PINNED = {"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.17"]}
"""What conda-forge's own configuration gives."""


def rendered() -> list[dict[str, Any]]:
    """One document for each package that the recipe makes."""
    variants = Stage0Recipe.from_file(RECIPE).render(VariantConfig(_PINNED))
    return [variant.recipe.to_dict() for variant in variants]
