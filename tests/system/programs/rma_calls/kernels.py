# SPDX-License-Identifier: BSD-3-Clause
"""The transform and the sparse matrix-vector product."""

from types import SimpleNamespace

import numpy as np
from rma_calls.refusals import refused

from stretto import rma


def transforms(runtime: rma.Runtime) -> None:
    shape = (8, 6, 10)
    whole = np.random.default_rng(1).random(shape)
    spectrum = np.fft.fftn(whole)
    planes: list[int] = []
    for options in (
        {},
        {"schedule": "tuned"},
        {"transposed": True, "schedule": "pencils"},
        {"transport": "mpi-rma"},
    ):
        plan = rma.FFT(runtime, shape, estimate=True, **options)
        mine = whole[plan.input].astype(complex)
        out = plan.forward(mine, before_plane=planes.append)
        expected = spectrum[plan.spectrum]
        assert np.allclose(out, expected.transpose(1, 0, 2) if plan.transposed else expected)
        assert np.allclose(plan.inverse(out, before_plane=planes.append), mine * whole.size)
        assert plan.storage is None or plan.storage.size > 0
        assert plan.memory_bytes[1] >= plan.memory_bytes[0] > 0 and plan.settings["schedule"]
        assert (plan.messages > 0) == (runtime.size > 1)
        plan.reset_timers()
        assert plan.timers["work_s"] == 0
    assert planes
    plan = rma.FFT(runtime, shape, real=True, batch=2, grid=(runtime.size, 1), estimate=True)
    both = np.stack([whole[plan.input], 2 * whole[plan.input]])
    out = plan.forward(both)
    assert np.allclose(out[1], 2 * np.fft.rfftn(whole)[plan.spectrum])
    assert np.allclose(plan.inverse(out, np.empty_like(both)), both * whole.size)
    refused(rma.ArgumentError, "in", lambda: plan.forward(both[0]))
    plan = rma.FFT(runtime, shape, estimate=True)
    mine = whole[plan.input].astype(complex)
    expected = spectrum[plan.spectrum]
    assert np.allclose(plan.forward(mine, before_plane=lambda _plane: plan.free()), expected)
    refused(rma.ArgumentError, "schedule", lambda: rma.FFT(runtime, shape, schedule="diagonals"))


def products(runtime: rma.Runtime) -> None:
    rows = 5
    n = rows * runtime.size
    whole = np.random.default_rng(2).random((n, n))
    whole[whole < 0.5] = 0
    mine = whole[rows * runtime.rank : rows * (runtime.rank + 1)]
    where = [np.flatnonzero(row) for row in mine]
    matrix = SimpleNamespace(
        indptr=np.cumsum([0, *map(len, where)]), indices=np.concatenate(where), data=mine[mine != 0]
    )
    x = np.arange(n, dtype=float)
    for exchange in ("signalled", "aggregate", "vector", "individual", "blocks", "tuned"):
        plan = rma.SpMV(runtime, matrix, exchange=exchange)
        y = plan.multiply(x[rows * runtime.rank : rows * (runtime.rank + 1)])
        assert np.allclose(y, mine @ x)
        assert plan.needed[1] <= runtime.size - 1 and plan.settings["exchange"]
        plan.reset_timers()
        assert plan.timers["sync_s"] == 0 and plan.messages >= 0
        runtime.barrier()
