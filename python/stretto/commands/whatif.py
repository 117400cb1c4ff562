# SPDX-License-Identifier: BSD-3-Clause
"""`stretto whatif`: predicts the time of a traced application on other networks."""

from __future__ import annotations

from dataclasses import replace

from stretto.data.published import read_named
from stretto.data.sweep import SLIDES_BANDWIDTHS, SLIDES_LATENCIES_S, parse_bandwidths
from stretto.launch.progress import record_progress
from stretto.launch.trace_source import schedule_directory
from stretto.model.replay_network import network_under
from stretto.options.traces import WhatIfRequest
from stretto.potential.sweep import Sweep, point_of, sweep_networks
from stretto.potential.whatif import NetworkPoint
from stretto.report.screen import show, show_json, tell
from stretto.report.views.whatif import whatif_document, whatif_view


def whatif(request: WhatIfRequest) -> None:
    """How long would this application take on a network of another latency and bandwidth?

    Computation is the trace's, communication the network's: processor overheads are zero unless they are
    given, as the slides have it. Normalised times are by the same trace at zero latency and 5 GB/s.
    """
    sweep = _sweep(request)
    with record_progress("replaying"):
        result = sweep_networks(sweep)
    if request.as_json:
        show_json(whatif_document(result))
    else:
        show(whatif_view(result))


def _sweep(request: WhatIfRequest) -> Sweep:
    """The networks of the options, else the profile's, else those of the slides."""
    bandwidths, latencies_s = parse_bandwidths(SLIDES_BANDWIDTHS), tuple(SLIDES_LATENCIES_S)
    measured, eager_bytes = None, request.eager
    if request.profile is not None:
        profile = read_named(request.profile)
        measured, eager_bytes = network_under(profile, request.profile, eager_bytes, request.progress_model)
        tell(measured.note)
        latencies_s, bandwidths = (measured.latency_s,), (point_of(measured).bandwidth_bytes_per_s,)
    sweep = Sweep(
        schedule_directory(request.directory, request.flops_rate),
        request.directory,
        request.latency or latencies_s,
        request.bandwidth or bandwidths,
        request.progress_model,
        request.level,
        eager_bytes,
        base := _on_nodes(point_of(measured), request),
    )
    if measured is None or request.latency or request.bandwidth or request.overhead is not None:
        return sweep
    return replace(sweep, measured=measured.text_with(base.node_spec))


def _on_nodes(base: NetworkPoint, request: WhatIfRequest) -> NetworkPoint:
    """`base` with the overheads and the node settings of the options."""
    if request.overhead is not None:
        base = replace(base, overhead_send_s=request.overhead, overhead_receive_s=request.overhead)
    if request.node is not None:
        base = replace(base, node_ranks=request.node[0], node_latency_s=request.node[1])
    return base
