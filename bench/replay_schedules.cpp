// SPDX-License-Identifier: BSD-3-Clause
#include "replay_schedules.hpp"

#include <array>

namespace stretto::bench {
namespace {

using replay::OperationKind;
using replay::ScheduleOperation;

ScheduleOperation send(std::uint64_t size_bytes, std::uint32_t peer, std::uint32_t tag) {
  return {.kind = OperationKind::send, .amount = size_bytes, .peer = peer, .tag = tag};
}

ScheduleOperation receive(std::uint64_t size_bytes, std::uint32_t peer, std::uint32_t tag) {
  return {.kind = OperationKind::receive, .amount = size_bytes, .peer = peer, .tag = tag};
}

ScheduleOperation calculate(std::uint64_t duration_ns) {
  return {.kind = OperationKind::calculate, .amount = duration_ns};
}

}  // namespace

replay::Schedule halo(std::uint32_t rows, std::uint32_t columns, std::uint32_t iterations,
                      std::uint64_t size_bytes, std::uint64_t work_ns) {
  replay::ScheduleBuilder builder;
  builder.reserve(std::size_t{9} * rows * columns * iterations);
  for (std::uint32_t rank = 0; rank < rows * columns; ++rank) {
    const std::uint32_t row = rank / columns;
    const std::uint32_t column = rank % columns;
    // In the order of directions: what goes north comes in from the south.
    const std::array<std::uint32_t, 4> to = {
        (row + rows - 1) % rows * columns + column, (row + 1) % rows * columns + column,
        row * columns + (column + columns - 1) % columns, row * columns + (column + 1) % columns};
    const std::array<std::uint32_t, 4> from = {to[1], to[0], to[3], to[2]};
    for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
      const std::uint32_t work = builder.add(calculate(work_ns));
      if (iteration > 0) {
        for (std::uint32_t i = 1; i <= 8; ++i) builder.require(work, work - i);
      }
      for (std::uint32_t i = 0; i < 4; ++i)
        builder.require(builder.add(receive(size_bytes, from[i], i)), work);
      for (std::uint32_t i = 0; i < 4; ++i) builder.require(builder.add(send(size_bytes, to[i], i)), work);
    }
    builder.end_rank();
  }
  return builder.finish();
}

replay::Schedule all_to_all(std::uint32_t ranks, std::uint64_t size_bytes) {
  replay::ScheduleBuilder builder;
  builder.reserve(std::size_t{2} * ranks * (ranks - 1));
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (std::uint32_t i = 1; i < ranks; ++i) {
      builder.add(receive(size_bytes, (rank + ranks - i) % ranks, 0));
      builder.add(send(size_bytes, (rank + i) % ranks, 0));
    }
    builder.end_rank();
  }
  return builder.finish();
}

replay::Schedule recursive_doubling(std::uint32_t steps, std::uint64_t size_bytes, std::uint64_t reduce_ns) {
  replay::ScheduleBuilder builder;
  const std::uint32_t ranks = 1U << steps;
  builder.reserve(std::size_t{3} * steps * ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      const std::uint32_t peer = rank ^ (1U << step);
      const std::uint32_t sent = builder.add(send(size_bytes, peer, step));
      const std::uint32_t received = builder.add(receive(size_bytes, peer, step));
      const std::uint32_t reduced = builder.add(calculate(reduce_ns));
      if (step > 0) {
        builder.require(sent, sent - 1);
        builder.require(received, sent - 1);
      }
      builder.require(reduced, sent);
      builder.require(reduced, received);
    }
    builder.end_rank();
  }
  return builder.finish();
}

}  // namespace stretto::bench
