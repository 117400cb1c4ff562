// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/fft/leg_setup.hpp"

#include <algorithm>
#include <utility>

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

int largest_groups(const std::vector<LegShape>& shapes) {
  int groups = 1;
  for (const LegShape& shape : shapes) groups = std::max(groups, shape.largest_pieces());
  return groups;
}

}  // namespace

LegResources::LegResources(Ground& ground, const Team& team, const std::vector<LegShape>& shapes,
                           const LegPlaces& places)
    : rank_(team.rank()), ranks_(team.size()), keeps_(places.keeps) {
  const int groups = largest_groups(shapes);
  const MoverShape over{.landing_first = places.over * sizeof(Complex), .groups = groups};
  std::vector<Route> routes;
  routes.reserve(shapes.size());
  for (const LegShape& shape : shapes) routes.push_back(shape.over(rank_));
  over_ = ground.mover(team, over, std::move(routes));
  if (!keeps_) over_->release();  // nothing is in it yet
  if (!places.back) return;
  const MoverShape back{.landing_first = *places.back * sizeof(Complex), .groups = groups};
  back_ = ground.mover(team, back, {shapes[0].back(rank_)});
}

LegMovers LegResources::movers(std::size_t route, Complex* stage) const {
  return {.over = over_.get(), .over_route = route, .back = back_.get(), .stage = stage, .keeps = keeps_};
}

bool LegResources::all_copies() const {
  for (int target = 0; target < ranks_; ++target) {
    if (target != rank_ && !over_->copies_to(target)) return false;
  }
  return true;
}

std::uint64_t LegResources::messages() const {
  return over_->messages() + (back_ != nullptr ? back_->messages() : 0);
}

std::size_t LegResources::flags(const std::vector<LegShape>& shapes, bool with_back) {
  const int once = largest_groups(shapes) + shapes[0].a.ranks;
  return static_cast<std::size_t>(once) * (with_back ? 2 : 1);
}

}  // namespace stretto::kernel
