// SPDX-License-Identifier: BSD-3-Clause
// The sending side of a transpose: first the columns of a plane, then the rows of each piece and its put. So
// the network transfers one piece while the next is transformed.
#include <algorithm>

#include "fft/transpose.hpp"
#include "plan/scope_timer.hpp"

namespace stretto::fft {

void Transpose::open() {
  if (exchanges_.buffer_reusable) exchanges_.over->release_buffer();
  exchanges_.over->open(exchanges_.over_pattern, offset_at(rank_, 0));
}

void Transpose::set_buffers(std::size_t place, Complex* stage) {
  place_ = place;
  exchanges_.stage = stage;
}

void Transpose::add_plane(const Produce& work, std::size_t plane) {
  if (work.before != nullptr && *work.before) (*work.before)(plane);
  set_row_targets(plane, work.in_stage || (work.in != nullptr && work.in == exchanges_.stage));
  if (work.real_rows != nullptr) {
    const double* from = work.real_in + plane * shape_.b.total * work.real_length;
    for (std::size_t row = 0; row < shape_.b.total; ++row) {
      work.real_rows->forward(from + row * work.real_length, rows_[row]);
    }
  }
  transform_columns(work, plane);
  send_pieces(work, plane);
}

/// Determines where the rows of a plane are staged. Packed: [target][plane][row]. Otherwise plane by plane,
/// or all planes at the same place where every send is a copy.
void Transpose::set_row_targets(std::size_t plane, bool in_place) {
  const std::size_t planes = shape_.a.count(rank_);
  if (!shape_.packed) {
    const bool own_place = in_place || !copies_;
    Complex* first = exchanges_.stage + (own_place ? plane * shape_.b.total * shape_.c : 0);
    for (std::size_t row = 0; row < rows_.size(); ++row) rows_[row] = first + row * shape_.c;
    return;
  }
  for (int target = 0; target < ranks(); ++target) {
    const std::size_t first = shape_.b.first(target);
    const std::size_t count = shape_.b.count(target);
    Complex* to = exchanges_.stage + (first * planes + plane * count) * shape_.c;
    for (std::size_t row = 0; row < count; ++row) rows_[first + row] = to + row * shape_.c;
  }
}

/// Transforms columns from the input (or, after real rows, in place) to the staged rows.
void Transpose::transform_columns(const Produce& work, std::size_t plane) {
  const std::size_t c = shape_.c;
  const Complex* in = work.find != nullptr        ? (*work.find)(plane)
                      : work.real_rows != nullptr ? nullptr
                                                  : work.in + plane * shape_.b.total * c;
  const auto source = [&](std::size_t row) { return in != nullptr ? in + row * c : rows_[row]; };
  if (work.columns == nullptr) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (source(row) != rows_[row]) std::copy_n(source(row), c, rows_[row]);
    }
    return;
  }
  Columns& tile = *work.columns;
  for (std::size_t column = 0; column < c; column += tile.width()) {
    const std::size_t width = std::min(tile.width(), c - column);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      std::copy_n(source(row) + column, width, tile.row(row));
    }
    tile.run();
    for (std::size_t row = 0; row < rows_.size(); ++row)
      std::copy_n(tile.row(row), width, rows_[row] + column);
  }
}

/// Sends piece by piece, to one target after another; each rank begins with a different target.
void Transpose::send_pieces(const Produce& work, std::size_t plane) {
  const std::size_t a = shape_.a.first(rank_) + plane;
  const std::size_t row_bytes = shape_.c * sizeof(Complex);
  for (int group = 0; group < shape_.largest_pieces(); ++group) {
    for (int step = 1; step <= ranks(); ++step) {
      const int target = (rank_ + step) % ranks();
      if (group >= shape_.pieces(target)) continue;
      const auto [first, count] = shape_.piece(target, group);
      Complex* const from = rows_[shape_.b.first(target) + first];
      for (std::size_t row = 0; work.rows != nullptr && row < count; ++row)
        work.rows->run(from + row * shape_.c);
      if (shape_.packed) continue;
      const std::size_t place = a * shape_.b.count(target) + first;
      if (target == rank_) {
        std::copy_n(from, count * shape_.c, receive_buffer() + place * shape_.c);
      } else {
        const plan::ScopeTimer watch(timers_, &PlanTimers::init_s);
        exchanges_.over->send(target, reinterpret_cast<const std::byte*>(from),
                              {.offset = offset_at(target, place), .size_bytes = count * row_bytes}, group);
      }
    }
  }
}

void Transpose::send_packed() {
  const std::size_t planes = shape_.a.count(rank_);
  const std::size_t row_bytes = shape_.c * sizeof(Complex);
  for (int step = 1; step <= ranks(); ++step) {
    const int target = (rank_ + step) % ranks();
    const std::size_t rows = shape_.b.count(target);
    if (rows == 0 || planes == 0) continue;
    const Complex* from = exchanges_.stage + shape_.b.first(target) * planes * shape_.c;
    const std::size_t place = shape_.a.first(rank_) * rows;
    if (target == rank_) {
      std::copy_n(from, planes * rows * shape_.c, receive_buffer() + place * shape_.c);
    } else {
      const plan::ScopeTimer watch(timers_, &PlanTimers::init_s);
      exchanges_.over->send(target, reinterpret_cast<const std::byte*>(from),
                            {.offset = offset_at(target, place), .size_bytes = planes * rows * row_bytes}, 0);
    }
  }
}

}  // namespace stretto::fft
