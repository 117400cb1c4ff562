# SPDX-License-Identifier: BSD-3-Clause
"""What the native analysis answers is read in one version of its format alone."""

from typing import Any

import pytest

from stretto.errors import RunError
from stretto.potential import messages


def test_a_program_that_was_built_before_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def older(_: str, **__: Any) -> dict[str, Any]:
        return {"schema": "stretto.analysis/1.0"}

    monkeypatch.setattr(messages, "document_of", older)
    with pytest.raises(RunError, match=r"answers in the format stretto.analysis/1.0, .* `make setup`"):
        messages.analysed([], "sites")
