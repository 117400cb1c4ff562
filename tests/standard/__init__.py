# SPDX-License-Identifier: BSD-3-Clause
"""The MPI standard's edge cases as programs. The modules import the list of calls where the build reads it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src" / "interpose"))
