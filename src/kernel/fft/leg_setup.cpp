// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/fft/leg_setup.hpp"

#include <algorithm>

namespace stretto::kernel {

LegShape leg_shape(const fft::Schedule& schedule, Share a, Share b, std::size_t c) {
  using Shape = fft::Schedule::Shape;
  LegShape shape{.a = a, .b = b, .c = c, .packed = schedule.shape == Shape::packed_slabs};
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

bool all_copies(const Mover& mover, const Team& team) {
  for (int target = 0; target < team.size(); ++target) {
    if (target != team.rank() && !mover.copies_to(target)) return false;
  }
  return true;
}

}  // namespace

LegResources::LegResources(Runtime& runtime, const Team& team, Transport transport,
                           const std::vector<LegShape>& shapes, bool with_back, bool keeps)
    : keeps_(keeps) {
  const int rank = team.rank();
  MoverShape over;
  std::vector<Route> routes;
  for (const LegShape& shape : shapes) {
    over.landing_bytes = std::max(over.landing_bytes, shape.after(rank) * sizeof(Complex));
    over.groups = std::max(over.groups, shape.largest_pieces());
    routes.push_back(shape.over(rank));
  }
  over_ = make_mover(transport, runtime, team, over, std::move(routes));
  if (!keeps_) over_->release();  // nothing is in it yet
  if (with_back) {
    const MoverShape back{.landing_bytes = shapes[0].before(rank) * sizeof(Complex), .groups = over.groups};
    back_ = make_mover(transport, runtime, team, back, {shapes[0].back(rank)});
    stage_ = reinterpret_cast<Complex*>(back_->landing());
    return;
  }
  const bool stages_all = shapes[0].packed || !all_copies(*over_, team);
  std::size_t elements = 0;
  for (const LegShape& shape : shapes) {
    elements = std::max(elements, stages_all ? shape.before(rank) : shape.b.total * shape.c);
  }
  own_stage_ = make_scratch(elements);
  own_stage_bytes_ = elements * sizeof(Complex);
  stage_ = own_stage_.get();
}

LegMovers LegResources::movers(std::size_t route) const {
  return {.over = over_.get(), .over_route = route, .back = back_.get(), .stage = stage_, .keeps = keeps_};
}

std::size_t LegResources::memory_bytes() const {
  return over_->memory_bytes() + own_stage_bytes_ + (back_ != nullptr ? back_->memory_bytes() : 0);
}

std::uint64_t LegResources::messages() const {
  return over_->messages() + (back_ != nullptr ? back_->messages() : 0);
}

}  // namespace stretto::kernel
