# SPDX-License-Identifier: BSD-3-Clause
"""`stretto dump`: prints any artefact as text."""

from __future__ import annotations

from stretto.options.files import DumpRequest
from stretto.report.views.artefact import dump_lines


def dump(request: DumpRequest) -> None:
    """Print an artefact as stable, readable text; what it holds wrong is refused as everywhere."""
    for line in dump_lines(request.file):
        print(line)
