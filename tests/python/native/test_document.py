# SPDX-License-Identifier: BSD-3-Clause
"""Requests to native programs are JSON, whatever files are called."""

import json
import os

import pytest

from stretto.errors import UserError
from stretto.native.document import request_text


def test_a_request_is_one_line_of_json() -> None:
    request = {"traces": ["ü €", "a\nb"], "parts": 2}
    text = request_text(request)
    assert json.loads(text) == request and "\n" not in text


def test_a_name_that_is_no_text_is_named() -> None:
    name = os.fsdecode(b"run/\xff/rank-000000.trace")
    with pytest.raises(UserError, match=r"^run/.*rank-000000\.trace: is not UTF-8; name another file"):
        request_text({"traces": ["good", name], "parts": ["sites"]})
