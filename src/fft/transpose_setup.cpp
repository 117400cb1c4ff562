// SPDX-License-Identifier: BSD-3-Clause
#include "fft/transpose_setup.hpp"

#include <algorithm>
#include <utility>

namespace stretto::fft {

TransposeShape transpose_shape(const Schedule& schedule, plan::BlockDistribution a, plan::BlockDistribution b,
                               std::size_t c) {
  using Shape = Schedule::Shape;
  TransposeShape shape{.a = a, .b = b, .c = c, .packed = schedule.shape == Shape::packed_slabs};
  const std::size_t largest = std::max<std::size_t>(b.largest(), 1);
  if (schedule.shape == Shape::pencils) {
    shape.piece_rows = 1;
  } else if (schedule.shape == Shape::chunks) {
    const std::size_t pieces =
        std::clamp<std::size_t>(schedule.chunks / static_cast<std::size_t>(b.ranks), 1, largest);
    shape.piece_rows = (largest + pieces - 1) / pieces;
  } else {
    shape.piece_rows = largest;
  }
  return shape;
}

namespace {

int largest_groups(const std::vector<TransposeShape>& shapes) {
  int groups = 1;
  for (const TransposeShape& shape : shapes) groups = std::max(groups, shape.largest_pieces());
  return groups;
}

}  // namespace

TransposeResources::TransposeResources(exchange::BufferArena& arena, const Team& team,
                                       const std::vector<TransposeShape>& shapes,
                                       const TransposeOffsets& places)
    : rank_(team.rank()), ranks_(team.size()), buffer_reusable_(places.buffer_reusable) {
  const int groups = largest_groups(shapes);
  const exchange::ExchangeShape over{.arena_offset = places.over * sizeof(Complex), .groups = groups};
  std::vector<exchange::ReceivePattern> patterns;
  patterns.reserve(shapes.size());
  for (const TransposeShape& shape : shapes) patterns.push_back(shape.over(rank_));
  over_ = arena.exchange(team, over, std::move(patterns));
  if (!buffer_reusable_) over_->release_buffer();  // the buffer is empty
  if (!places.back) return;
  const exchange::ExchangeShape back{.arena_offset = *places.back * sizeof(Complex), .groups = groups};
  back_ = arena.exchange(team, back, {shapes[0].back(rank_)});
}

TransposeExchanges TransposeResources::exchanges(std::size_t pattern, Complex* stage) const {
  return {.over = over_.get(),
          .over_pattern = pattern,
          .back = back_.get(),
          .stage = stage,
          .buffer_reusable = buffer_reusable_};
}

bool TransposeResources::all_copies() const {
  for (int target = 0; target < ranks_; ++target) {
    if (target != rank_ && !over_->copies_to(target)) return false;
  }
  return true;
}

std::uint64_t TransposeResources::messages() const {
  return over_->messages() + (back_ != nullptr ? back_->messages() : 0);
}

std::size_t TransposeResources::flags(const std::vector<TransposeShape>& shapes, bool with_back) {
  const int once = largest_groups(shapes) + shapes[0].a.ranks;
  return static_cast<std::size_t>(once) * (with_back ? 2 : 1);
}

}  // namespace stretto::fft
