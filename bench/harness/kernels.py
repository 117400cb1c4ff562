# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of `stretto-run`, where benches and validations start it themselves."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.launch.kernels import KernelRun
from stretto.options.command_line import parsed
from stretto.options.run import RunRequest


def kernel_arguments(words: Sequence[str]) -> tuple[str, ...]:
    """Arguments of the native program for a command line of `stretto run`."""
    request = parsed(RunRequest, words)
    settings = dict(request.settings)
    return KernelRun(
        request.kernel, request.class_name, request.variant, request.transport, settings
    ).arguments()
