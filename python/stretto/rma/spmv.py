# SPDX-License-Identifier: BSD-3-Clause
"""Distributed products of a sparse matrix with a vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from stretto.rma.arguments import indices_of, numbers_of, refused_together, result_array, size_of
from stretto.rma.errors import ArgumentError
from stretto.rma.library import check, ffi, filled, library
from stretto.rma.plan import TRANSPORTS, Plan, check_runtime, kernels, transport_number
from stretto.rma.runtime import Runtime
from stretto.rma.shapes import Array

EXCHANGES = ("signalled", "aggregate", "vector", "individual", "blocks")


class SpMV(Plan):
    """A plan for y = A x, whose rows and vectors are cut into consecutive blocks, one a rank. Collective.

    Args:
        runtime: Must outlive the plan, and frees it at its end.
        matrix: This rank's rows in compressed form, such as a `csr_array` of SciPy, with the columns of the
            whole matrix: an object with `indptr`, `indices` and `data`. It is copied.
        x_count: Elements of x that are this rank's; None: as many as rows.
        exchange: `signalled`, `aggregate`, `vector`, `individual` or `blocks`; `tuned` chooses the fastest.
        prefetch: Of `blocks`: how many are on their way ahead.
        transport: Of `signalled`: as that of `FFT`.
    """

    _functions = "stretto_spmv"

    def __init__(
        self,
        runtime: Runtime,
        matrix: Any,
        x_count: int | None = None,
        *,
        exchange: str = "signalled",
        prefetch: int = 1,
        transport: str = "stretto",
    ) -> None:
        c = kernels()
        check_runtime(runtime)
        settings = filled(c.stretto_spmv_settings_init)
        nothing = (0, ffi.NULL, ffi.NULL, ffi.NULL, 0, ffi.NULL, ffi.NULL)
        with refused_together(lambda: int(c.stretto_spmv_create(runtime.pointer, *nothing))):
            if not all(hasattr(matrix, name) for name in ("indptr", "indices", "data")):
                raise ArgumentError(f"matrix: {matrix!r} has no compressed rows: indptr, indices and data")
            start = indices_of("matrix", matrix.indptr, np.uint64)
            column = indices_of("matrix", matrix.indices, np.uint32)
            value = numbers_of("matrix", matrix.data, float)
            self.rows = len(start) - 1
            self.x_count = self.rows if x_count is None else size_of("x_count", x_count)
            if self.rows < 0 or start[-1] > len(column) or len(column) != len(value):
                raise ArgumentError("matrix: indptr, indices and data do not fit each other")
            if exchange not in (*EXCHANGES, "tuned"):
                raise ArgumentError(f"exchange: {exchange!r} is none of {', '.join(EXCHANGES)}, tuned")
            settings.exchange = EXCHANGES.index(exchange) if exchange != "tuned" else 0
            settings.prefetch = size_of("prefetch", prefetch)
            settings.transport = transport_number(transport)
        part = (
            self.rows,
            _pointer("uint64_t*", start),
            _pointer("uint32_t*", column),
            _pointer("double*", value),
        )
        if exchange == "tuned":
            self._cell = filled(c.stretto_spmv_create_tuned, runtime.pointer, *part, self.x_count)
        else:
            self._cell = filled(c.stretto_spmv_create, runtime.pointer, *part, self.x_count, settings)
        runtime.keep(self)

    @property
    def settings(self) -> dict[str, Any]:
        """The exchange, the prefetch and the transport in effect."""
        settings = filled(library().stretto_spmv_settings_of, self._cell[0])
        return {
            "exchange": EXCHANGES[settings.exchange],
            "prefetch": int(settings.prefetch),
            "transport": TRANSPORTS[settings.transport],
        }

    @property
    def needed(self) -> tuple[int, int]:
        """Elements of other ranks that this rank's rows need, and in how many ranks' blocks they lie."""
        elements, ranks = ffi.new("size_t*"), ffi.new("size_t*")
        check(library().stretto_spmv_needed(self._cell[0], elements, ranks))
        return int(elements[0]), int(ranks[0])

    def multiply(self, x: Any, out: Array | None = None) -> Array:
        """This rank's block of A x, from its block of x. Collective."""
        source = numbers_of("x", x, float)
        result = np.empty(self.rows) if out is None else result_array("out", out, np.dtype(float))
        arguments = (_pointer("double*", source), source.size, _pointer("double*", result), result.size)
        check(library().stretto_spmv_multiply(self._cell[0], *arguments))
        return result


def _pointer(kind: str, array: Array) -> Any:
    return ffi.cast(kind, array.__array_interface__["data"][0])
