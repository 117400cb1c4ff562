// SPDX-License-Identifier: BSD-3-Clause
// The receiving side of a transpose: lines are transformed group by group on arrival, and copied to their
// destination from the tile in which they were transformed.
#include <algorithm>

#include "fft/transpose.hpp"
#include "plan/scope_timer.hpp"

namespace stretto::fft {

Transpose::Transpose(const TransposeShape& shape, const TransposeExchanges& exchanges, int rank,
                     PlanTimers& timers)
    : shape_(shape), exchanges_(exchanges), rank_(rank), timers_(timers), rows_(shape.b.total) {
  for (int target = 0; target < ranks(); ++target) {
    if (target != rank && !exchanges.over->copies_to(target)) copies_ = false;
  }
}

void Transpose::run(const Produce& produced, const Consume& consumed) {
  open();
  for (std::size_t plane = 0; plane < shape_.a.count(rank_); ++plane) add_plane(produced, plane);
  finish(consumed);
}

void Transpose::finish(const Consume& consumed) {
  if (shape_.packed) send_packed();
  const bool back = consumed.to == Consume::To::back;
  if (back || consumed.frees_stage || consumed.out == exchanges_.stage)
    all_sent();  // others may write to the stage, a receive buffer, only afterwards
  if (back) open_back();
  consume(consumed);
  if (back) close_back();
  done();
}

void Transpose::run_forward(const Produce& produced) {
  open();
  for (std::size_t plane = 0; plane < shape_.a.count(rank_); ++plane) add_plane(produced, plane);
  if (shape_.packed) send_packed();
  {
    const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
    for (int group = 0; group < std::max(shape_.pieces(rank_), 1); ++group)
      exchanges_.over->wait_arrived(group);
  }
  done();
}

void Transpose::all_sent() {
  const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
  exchanges_.over->wait_sent();
}

/// Ends a round of the forward transpose.
void Transpose::done() {
  all_sent();
  if (exchanges_.buffer_reusable) return;
  const plan::ScopeTimer wait(timers_, &PlanTimers::barrier_s);
  exchanges_.over->release_buffer();
}

void Transpose::consume(const Consume& work) {
  const int groups = shape_.pieces(rank_);
  for (int group = 0; group < std::max(groups, 1); ++group) {
    {
      const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
      exchanges_.over->wait_arrived(group);
    }
    if (group >= groups) break;
    const auto [first, count] = shape_.piece(rank_, group);
    for (std::size_t row = first; row < first + count; ++row) consume_row(work, row);
    if (work.to == Consume::To::back) send_back(receive_buffer(), group, true);
  }
}

void Transpose::consume_row(const Consume& work, std::size_t row) {
  const std::size_t rows = shape_.b.count(rank_);
  const Complex* from = receive_buffer() + row * shape_.c;
  Columns& tile = *work.columns;
  for (std::size_t column = 0; column < shape_.c; column += tile.width()) {
    const std::size_t width = std::min(tile.width(), shape_.c - column);
    for (std::size_t a = 0; a < shape_.a.total; ++a) {
      std::copy_n(from + a * rows * shape_.c + column, width, tile.row(a));
    }
    tile.run();
    empty_tile(work, row, column, width);
  }
  if (work.to == Consume::To::visited) (*work.visit)(row, work.out);
  if (work.to != Consume::To::real) return;
  for (std::size_t a = 0; a < shape_.a.total; ++a) {
    work.real_rows->inverse(receive_buffer() + (a * rows + row) * shape_.c,
                            work.real_out + (row * shape_.a.total + a) * work.real_length);
  }
}

void Transpose::empty_tile(const Consume& work, std::size_t row, std::size_t column, std::size_t width) {
  Columns& tile = *work.columns;
  if (work.to == Consume::To::back) return send_tile_back(tile, row, column, width);
  Complex* first = work.out;
  std::size_t stride = shape_.c;
  if (work.to == Consume::To::real) {  // transformed in the receive buffer
    first = receive_buffer() + row * shape_.c;
    stride = shape_.b.count(rank_) * shape_.c;
  } else if (work.to == Consume::To::transposed) {
    first += row * shape_.a.total * shape_.c;
  }
  first += column;
  for (std::size_t a = 0; a < shape_.a.total; ++a) std::copy_n(tile.row(a), width, first + a * stride);
}

/// Copies a tile to its destination if this rank may store there, else back to its source, from which
/// send_back() sends it.
void Transpose::send_tile_back(Columns& tile, std::size_t row, std::size_t column, std::size_t width) {
  const std::size_t rows = shape_.b.count(rank_);
  for (int target = 0; target < ranks(); ++target) {
    const std::size_t first = shape_.a.first(target);
    const std::size_t planes = shape_.a.count(target);
    exchange::StridedBlock block = shape_.back_block(rank_, target, row, 1);
    block.offset += column * sizeof(Complex);
    if (target == rank_) {
      Complex* to = back_buffer() + block.offset / sizeof(Complex);
      const std::size_t stride = block.remote_stride / sizeof(Complex);
      for (std::size_t a = 0; a < planes; ++a) std::copy_n(tile.row(first + a), width, to + a * stride);
    } else if (exchanges_.back->copies_to(target) && planes > 0) {
      block.size_bytes = width * sizeof(Complex);
      block.local_stride = tile.stride() * sizeof(Complex);
      exchanges_.back->store(target, reinterpret_cast<const std::byte*>(tile.row(first)), block);
    } else {
      Complex* to = receive_buffer() + (first * rows + row) * shape_.c + column;
      for (std::size_t a = 0; a < planes; ++a)
        std::copy_n(tile.row(first + a), width, to + a * rows * shape_.c);
    }
  }
}

void Transpose::open_back() {
  exchanges_.back->open(0);
  exchanges_.back->release_buffer();
}

/// Sends the rows of a group, from [a][b of this rank][c]. Ranks that already have the data by stores
/// (`stored`) get only the signal.
void Transpose::send_back(const Complex* from, int group, bool stored) {
  const plan::ScopeTimer watch(timers_, &PlanTimers::init_s);
  const std::size_t first = shape_.piece(rank_, group).first;
  const std::size_t rows = shape_.b.count(rank_);
  for (int step = 1; step < ranks(); ++step) {
    const int target = (rank_ + step) % ranks();
    if (shape_.a.count(target) == 0) continue;
    exchange::StridedBlock block = shape_.back_message(rank_, target, group);
    if (stored && exchanges_.back->copies_to(target)) block = {.offset = block.offset};
    exchanges_.back->send(
        target, reinterpret_cast<const std::byte*>(from + (shape_.a.first(target) * rows + first) * shape_.c),
        block, group);
  }
}

void Transpose::close_back() {
  const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
  for (int group = 0; group < shape_.largest_pieces(); ++group) exchanges_.back->wait_arrived(group);
  exchanges_.back->wait_sent();
}

void Transpose::run_backward(const Complex* in) {
  open_back();
  const std::size_t rows = shape_.b.count(rank_);
  const std::size_t planes = shape_.a.count(rank_);
  const exchange::StridedBlock block = shape_.back_block(rank_, rank_, 0, rows);
  for (std::size_t a = 0; a < planes; ++a) {
    std::copy_n(in + (shape_.a.first(rank_) + a) * rows * shape_.c, rows * shape_.c,
                back_buffer() + (block.offset + a * block.remote_stride) / sizeof(Complex));
  }
  for (int group = 0; group < shape_.pieces(rank_); ++group) send_back(in, group, false);
  close_back();
}

Complex* Transpose::returned(std::size_t plane, std::size_t row) const {
  if (!shape_.packed) return back_buffer() + (plane * shape_.b.total + row) * shape_.c;
  const int source = shape_.b.owner(row);
  const std::size_t first = shape_.b.first(source);
  const std::size_t rows = shape_.b.count(source);
  return back_buffer() + (first * shape_.a.count(rank_) + plane * rows + (row - first)) * shape_.c;
}

void Transpose::unpack_plane(std::size_t plane, Complex* out) const {
  if (!shape_.packed) {
    std::copy_n(returned(plane, 0), shape_.b.total * shape_.c, out);
    return;
  }
  for (int source = 0; source < ranks(); ++source) {
    const std::size_t first = shape_.b.first(source);
    const std::size_t rows = shape_.b.count(source);
    if (rows > 0) std::copy_n(returned(plane, first), rows * shape_.c, out + first * shape_.c);
  }
}

void Transpose::unpack(Complex* out) const {
  if (out == back_buffer()) return;
  const std::size_t plane_elements = shape_.b.total * shape_.c;
  for (std::size_t plane = 0; plane < shape_.a.count(rank_); ++plane) {
    unpack_plane(plane, out + plane * plane_elements);
  }
}

}  // namespace stretto::fft
