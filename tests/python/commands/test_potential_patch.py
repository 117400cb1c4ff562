# SPDX-License-Identifier: BSD-3-Clause
"""What a patch promised, and what its proof says of that."""

from types import SimpleNamespace
from typing import Any

from stretto.commands.potential_patch import _promised


def test_a_promise_is_a_share_of_the_runs_of_its_own_network_only() -> None:
    found: Any = SimpleNamespace(offers=[SimpleNamespace(gain_s=0.004), SimpleNamespace(gain_s=0.004)])
    runs: Any = SimpleNamespace(plain=lambda: 0.04)
    assert _promised(found, 2, runs, is_elsewhere=False).startswith("promised was about 10.0 % of a run")
    elsewhere = _promised(found, 2, runs, is_elsewhere=True)
    assert elsewhere.startswith("promised was about 4 ms on the network where") and "%" not in elsewhere
