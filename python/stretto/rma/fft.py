# SPDX-License-Identifier: BSD-3-Clause
"""Distributed three-dimensional transforms of NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from stretto.rma.arguments import (
    numbers_of,
    refused_together,
    result_array,
    size_of,
    sizes_of,
    text_of,
)
from stretto.rma.errors import ArgumentError
from stretto.rma.library import address_of, check, ffi, filled, library
from stretto.rma.plan import Plan, check_runtime, kernels, transport_number
from stretto.rma.runtime import Runtime
from stretto.rma.shapes import Array


class FFT(Plan):
    """A plan for transforms of an array of `shape` that is distributed over the ranks. Collective.

    Each rank has the part `input` of the array and `spectrum` of its transform: slices by dimension of the
    array. Transforms are unscaled: inverse after forward gives the number of elements times the input.

    Args:
        runtime: Must outlive the plan, and frees it at its end.
        shape: n0, n1, n2.
        real: The array is of real numbers; the spectrum keeps n2 / 2 + 1 complex numbers of each row.
        transposed: The spectrum stays as the transpose leaves it: its axes are 1, 0, 2 of the array's.
        schedule: `packed-slabs`, `slabs`, `pencils` or `chunks=X`; `tuned` chooses the fastest.
        transport: `stretto`, `mpi-rma`, `mpi-two-sided` or `mpi-alltoall`.
        estimate: Plans quickly, without measuring in FFTW.
        batch: Arrays that one call transforms; they are then the first axis.
        grid: p1 x p2 ranks; None: chosen.
        profile: Of `tuned`, the file of a profile; None: the environment's, or a measurement.
    """

    _functions = "stretto_fft"

    def __init__(
        self,
        runtime: Runtime,
        shape: Sequence[int],
        *,
        real: bool = False,
        transposed: bool = False,
        schedule: str = "slabs",
        transport: Literal["stretto", "mpi-rma", "mpi-two-sided", "mpi-alltoall"] = "stretto",
        estimate: bool = False,
        batch: int = 1,
        grid: tuple[int, int] | None = None,
        profile: str | None = None,
    ) -> None:
        c = kernels()
        check_runtime(runtime)
        settings = filled(c.stretto_fft_settings_init)
        with refused_together(lambda: int(c.stretto_fft_create(runtime.pointer, settings, ffi.NULL))):
            settings.size, settings.batch = sizes_of("shape", shape_of_three(shape)), size_of("batch", batch)
            settings.kind, settings.order, settings.effort = bool(real), bool(transposed), bool(estimate)
            settings.transport = transport_number(transport)
            settings.grid = [0, 0] if grid is None else grid_of(grid)
            text = ffi.new("char[]", text_of("schedule", schedule))
            name = ffi.NULL if profile is None else ffi.new("char[]", text_of("profile", profile))
        if schedule == "tuned":
            self._cell = filled(c.stretto_fft_create_tuned, runtime.pointer, settings, name)
        else:
            settings.schedule = text
            self._cell = filled(c.stretto_fft_create, runtime.pointer, settings)
        runtime.keep(self)
        self.real, self.transposed, self.batch = real, transposed, batch
        self.input = self._box("input")
        self.spectrum = self._box("spectrum")

    @property
    def settings(self) -> dict[str, Any]:
        """The schedule and the grid in effect."""
        settings = filled(library().stretto_fft_settings_of, self._cell[0])
        return {"schedule": ffi.string(settings.schedule).decode(), "grid": tuple(settings.grid)}

    def forward(
        self, array: Any, out: Array | None = None, before_plane: Callable[[int], None] | None = None
    ) -> Array:
        """Transforms this rank's part, and returns its part of the spectrum. Collective.

        Args:
            array: Of the shape of `input`, after `batch` where that is more than 1.
            out: Where the result goes; None: a new array.
            before_plane: Called with the number of a local plane just before it is read. It must not call
                the plan, but may free it: that happens when the transform has ended.
        """
        kind = np.dtype(float if self.real else complex)
        source = numbers_of("array", array, kind.type)
        return self._transform("forward", source, out, np.dtype(complex), self.spectrum_shape, before_plane)

    def inverse(
        self, array: Any, out: Array | None = None, before_plane: Callable[[int], None] | None = None
    ) -> Array:
        """The transform back, of a part of a spectrum. Collective."""
        kind = np.dtype(float if self.real else complex)
        source = numbers_of("array", array, complex)
        return self._transform("inverse", source, out, kind, self.input_shape, before_plane)

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of this rank's part of the array."""
        return self._shape(self.input)

    @property
    def spectrum_shape(self) -> tuple[int, ...]:
        """Of this rank's part of the spectrum, as it lies in memory."""
        first, second, third = self.spectrum
        return self._shape((second, first, third) if self.transposed else self.spectrum)

    @property
    def storage(self) -> Array | None:
        """The plan's own array: a transform into it saves a pass over memory. None for plans that have
        none.
        """
        address, count = ffi.new("void**"), ffi.new("size_t*")
        check(library().stretto_fft_storage(self._cell[0], address, count))
        if not count[0]:
            return None
        values = np.frombuffer(ffi.buffer(address[0], 16 * count[0]), complex)
        return values.reshape(self.input_shape) if values.size == np.prod(self.input_shape) else values

    @property
    def memory_bytes(self) -> tuple[int, int]:
        """Bytes of one copy of this rank's array, and of all that the plan holds."""
        one, all_bytes = ffi.new("size_t*"), ffi.new("size_t*")
        check(library().stretto_fft_memory(self._cell[0], one, all_bytes))
        return int(one[0]), int(all_bytes[0])

    def _box(self, name: str) -> tuple[slice, slice, slice]:
        first, count = ffi.new("size_t[3]"), ffi.new("size_t[3]")
        check(getattr(library(), f"stretto_fft_{name}")(self._cell[0], first, count))
        one, two, three = (slice(begin, begin + n) for begin, n in zip(first, count))
        return one, two, three

    def _shape(self, box: Sequence[slice]) -> tuple[int, ...]:
        shape = tuple(one.stop - one.start for one in box)
        return shape if self.batch == 1 else (self.batch, *shape)

    def _transform(
        self,
        name: str,
        source: Array,
        out: Array | None,
        kind: np.dtype[Any],
        shape: tuple[int, ...],
        before_plane: Callable[[int], None] | None,
    ) -> Array:
        result = np.empty(shape, kind) if out is None else result_array("out", out, kind)
        places = [address_of(one) for one in (source, result)]
        arguments = (self._cell[0], places[0], source.size, places[1], result.size)
        if before_plane is None:
            check(getattr(library(), f"stretto_fft_{name}")(*arguments))
            return result
        raised: list[BaseException] = []

        def before(plane: int, _context: Any) -> None:
            try:
                before_plane(plane)
            except BaseException as error:  # no exception crosses C: it is raised after the transform
                raised.append(error)

        callback = ffi.callback("stretto_before_plane", before)
        check(getattr(library(), f"stretto_fft_{name}_by_planes")(*arguments, callback, ffi.NULL))
        if raised:
            raise raised[0]
        return result


def shape_of_three(shape: Sequence[int]) -> tuple[int, ...]:
    """The shape, of three dimensions."""
    if len(shape) != 3:
        raise ArgumentError(f"shape: {tuple(shape)} has not three dimensions")
    return tuple(shape)


def grid_of(grid: tuple[int, int]) -> list[int]:
    """p1 and p2, which fit an int of C."""
    sizes = list(sizes_of("grid", grid))
    if len(sizes) != 2 or max(sizes) >= 2**31:
        raise ArgumentError(f"grid: {tuple(grid)} is not p1 x p2 ranks")
    return sizes
