# SPDX-License-Identifier: BSD-3-Clause
"""Puts, gets and accumulates: contiguous, strided, in pieces, together."""

import numpy as np

from stretto import rma


def contiguous(runtime: rma.Runtime, right: int, left: int) -> None:
    region = runtime.region(100)
    row = np.arange(100.0) + 1000 * runtime.rank
    region.put(row, right)
    runtime.fence(right)
    assert (region.get(right) == row).all()
    out = np.empty(10)
    assert region.get(right, 20, out) is out and (out == row[20:30]).all()
    assert (region.get(right, 97) == row[97:]).all() and (region.get(right, 5, count=2) == row[5:7]).all()
    runtime.barrier()
    assert (region.local == np.arange(100.0) + 1000 * left).all()
    runtime.barrier()
    handles = [region.put_nonblocking(row[i : i + 10], right, 90 - i) for i in range(0, 100, 10)]
    first = runtime.wait_any(handles)
    assert not handles[first].pending
    while not handles[first - 1].test():
        pass
    runtime.wait_all(handles)
    runtime.barrier()
    back = region.get_nonblocking(right)
    assert (back.wait().reshape(10, 10)[::-1].ravel() == row).all() and back.wait() is back.result
    region.put_implicit(row, right)
    runtime.wait_implicit(right)
    runtime.fence()
    region.get_implicit(right, 0, out)
    runtime.wait_implicit()
    assert (out == row[:10]).all()
    region.put(7, right, 3)  # a number, converted
    region.put([1, 2], right, 4)
    runtime.fence()
    assert region.get(right, 3, count=3).tolist() == [7, 1, 2]


def strided(runtime: rma.Runtime, right: int, left: int) -> None:
    region = runtime.region((6, 8, 4), np.float32)
    block = np.arange(48, dtype=np.float32).reshape(4, 4, 3).transpose(1, 0, 2) + 100 * runtime.rank
    where = np.s_[1:5, ::2, 1]
    region.put(block[:, :, 2], right, where)
    runtime.fence()
    assert (region.get(right, where) == block[:, :, 2]).all()
    out = np.zeros((4, 8), np.float32)
    region.get(right, where, out[:, ::2])
    assert (out[:, ::2] == block[:, :, 2]).all() and (out[:, 1::2] == 0).all()
    runtime.barrier()
    expected = np.zeros((6, 8, 4), np.float32)
    expected[where] = block[:, :, 2] - 100 * runtime.rank + 100 * left
    assert (region.local == expected).all()
    runtime.barrier()
    region.put_nonblocking(block, right, np.s_[:4, :4, :3]).wait()
    runtime.fence()
    assert (region.get_nonblocking(right, np.s_[:4, :4, :3]).wait() == block).all()
    region.put(block[0, 0], right, 0)
    region.put_implicit(block[:, 0, 0], right, np.s_[0, 4:, 3])
    runtime.wait_implicit()
    runtime.fence()
    got = np.empty(4, np.float32)
    region.get_implicit(right, np.s_[0, 4:, 3], got)
    runtime.wait_implicit()
    assert (got == block[:, 0, 0]).all()
    region.put(np.float32(5), right, (5, -1, -1))
    runtime.fence()
    assert region.get(right, (5, 7, 3)) == 5


def pieces(runtime: rma.Runtime, right: int) -> None:
    region = runtime.region(64, np.int64)
    values = [np.full(3, 10 * runtime.rank + i) for i in range(8)]
    out = [(values[i], 8 * i) for i in range(8)]
    back = [(np.empty(3, np.int64), 8 * i) for i in range(8)]
    for put, get in (
        (region.put_pieces, region.get_pieces),
        (region.put_pieces_nonblocking, region.get_pieces_nonblocking),
        (region.put_pieces_implicit, region.get_pieces_implicit),
    ):
        runtime.barrier()
        region.local[:] = 0
        runtime.barrier()
        for operation, vector in ((put, out), (get, back)):
            handle = operation(vector, right)
            if isinstance(handle, rma.Handle):
                handle.wait()
            runtime.wait_implicit()
            runtime.fence()
        assert all((one == other).all() for (one, _), other in zip(back, values))
    runtime.barrier()
    region.accumulate_pieces(out, right, 2)
    region.accumulate_pieces_nonblocking(out, right).wait()
    region.accumulate_pieces_implicit(out, right)
    runtime.wait_implicit()
    runtime.barrier()
    region.get_pieces(back, right)
    assert all((one == 5 * other).all() for (one, _), other in zip(back, values))


def aggregates(runtime: rma.Runtime, right: int) -> None:
    region = runtime.region((8, 8))
    values = np.random.default_rng(runtime.rank).random((8, 8))
    aggregate = runtime.aggregate()
    for row in range(4):
        aggregate.put(region, values[row], right, 8 * row)
    aggregate.put(region, values[4:, ::2], right, np.s_[4:, ::2])
    aggregate.put_pieces(region, [(values[4, 1:2], 33)], right)
    assert aggregate.pending
    aggregate.wait()
    runtime.fence()
    out = np.zeros((8, 8))
    for row in range(4):
        aggregate.get(region, out[row], right, 8 * row)
    aggregate.get(region, out[4:, ::2], right, np.s_[4:, ::2])
    aggregate.get_pieces(region, [(out[4, 1:2], 33)], right)
    while not aggregate.test():
        pass
    assert not aggregate.pending
    assert (
        (out[:4] == values[:4]).all()
        and (out[4:, ::2] == values[4:, ::2]).all()
        and out[4, 1] == values[4, 1]
    )
