// SPDX-License-Identifier: BSD-3-Clause
// A grid of p1 x p2 ranks, for more ranks than planes: first n1 and n2 change places among the ranks of a row
// of the grid, plane of n0 by plane; then n0 and n1 among those of a column, as in slabs.
#include <algorithm>

#include "kernel/fft/engine.hpp"
#include "kernel/fft/leg_setup.hpp"

namespace stretto::kernel {
namespace {

Team team_of(Runtime& runtime, int first, int step, int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ranks[static_cast<std::size_t>(i)] = first + i * step;
  return {runtime, ranks};
}

class GridEngine final : public FftEngine {
 public:
  GridEngine(Runtime& runtime, const fft::Settings& settings, fft::Timers& timers)
      : settings_(settings),
        natural_(settings.order == fft::Order::natural),
        row_place_(runtime.rank() % settings.grid[1]),
        column_place_(runtime.rank() / settings.grid[1]),
        n0_{settings.size[0], settings.grid[0]},
        n1_before_{settings.size[1], settings.grid[1]},
        n1_after_{settings.size[1], settings.grid[0]},
        n2_{spectrum_length(settings), settings.grid[1]},
        row_shape_(leg_shape(settings.schedule, n1_before_, n2_, 1)),
        column_shapes_(column_shapes()),
        row_team_(team_of(runtime, column_place_ * settings.grid[1], 1, settings.grid[1])),
        column_team_(team_of(runtime, row_place_, settings.grid[1], settings.grid[0])),
        row_resources_(runtime, row_team_, settings.transport, {row_shape_}, true),
        column_resources_(runtime, column_team_, settings.transport, column_shapes_, natural_),
        row_leg_(row_shape_, row_resources_.movers(0), row_place_, timers),
        plane_(make_scratch(row_shape_.before(row_place_))) {
    if (column_shapes_[0].packed || (!natural_ && !column_resources_.stages_all())) {
      between_ = make_scratch(column_shapes_[0].before(column_place_));
    }
    for (std::size_t route = 0; route < column_shapes_.size(); ++route) {
      column_legs_.emplace_back(column_shapes_[route], column_resources_.movers(route), column_place_,
                                timers);
    }
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
      const std::size_t width = n2_.count(row_place_);
      along_n0_.emplace_back(settings.size[0], width, sign, settings.effort);
      along_n1_.emplace_back(settings.size[1], width, sign, settings.effort);
      along_n2_.emplace_back(settings.size[2], sign, settings.effort);
    }
    if (settings.kind == fft::Kind::real) {
      real_ = std::make_unique<RealRows>(settings.size[2], settings.effort);
    }
  }

  void forward(const Transform& transform) override {
    for (std::size_t plane = 0; plane < n0_.count(column_place_); ++plane) {
      if (*transform.before) (*transform.before)(plane);
      transform_rows(transform, plane);
      row_leg_.run({.in = plane_.get()},
                   {.to = Consume::To::in_place, .out = between() + plane * plane_after()});
    }
    column_legs_[0].run({.in = between(), .columns = along_n1_.data()},
                        {.columns = along_n0_.data(),
                         .to = natural_ ? Consume::To::back : Consume::To::transposed,
                         .out = transform.out});
    if (!natural_) return;
    column_legs_[0].unpack(between());
    for (std::size_t plane = 0; plane < n0_.count(column_place_); ++plane) {
      row_leg_.bring_back(between() + plane * plane_after());
      row_leg_.unpack(transform.out + plane * row_shape_.before(row_place_));
    }
  }

  void inverse(const Transform& transform) override {
    if (natural_) {
      for (std::size_t plane = 0; plane < n0_.count(column_place_); ++plane) {
        if (*transform.before) (*transform.before)(plane);
        row_leg_.run({.in = transform.in + plane * row_shape_.before(row_place_)},
                     {.to = Consume::To::in_place, .out = between() + plane * plane_after()});
      }
      column_legs_[0].run({.in = between(), .columns = &along_n1_[1]},
                          {.columns = &along_n0_[1], .to = Consume::To::back});
      column_legs_[0].unpack(between());
    } else {
      column_legs_[1].run({.in = transform.in, .columns = &along_n0_[1], .before = transform.before},
                          {.columns = &along_n1_[1], .to = Consume::To::transposed, .out = between()});
    }
    for (std::size_t plane = 0; plane < n0_.count(column_place_); ++plane) {
      row_leg_.bring_back(between() + plane * plane_after());
      transform_back(transform, plane);
    }
  }

  fft::Box input() const override {
    return {.first = {n0_.first(column_place_), n1_before_.first(row_place_), 0},
            .count = {n0_.count(column_place_), n1_before_.count(row_place_), settings_.size[2]}};
  }

  fft::Box spectrum() const override {
    if (natural_) {
      fft::Box box = input();
      box.count[2] = n2_.total;
      return box;
    }
    return {.first = {0, n1_after_.first(column_place_), n2_.first(row_place_)},
            .count = {n0_.total, n1_after_.count(column_place_), n2_.count(row_place_)}};
  }

  std::span<fft::Complex> storage() const override { return {}; }

  std::size_t memory_bytes() const override {
    const std::size_t apart = between_ != nullptr ? column_shapes_[0].before(column_place_) : 0;
    return row_resources_.memory_bytes() + column_resources_.memory_bytes() +
           (apart + row_shape_.before(row_place_)) * sizeof(Complex);
  }
  std::uint64_t messages() const override { return row_resources_.messages() + column_resources_.messages(); }

 private:
  [[nodiscard]] std::vector<LegShape> column_shapes() const {
    const std::size_t c = n2_.count(row_place_);
    const Share n0_after{settings_.size[0], settings_.grid[0]};
    std::vector<LegShape> shapes{leg_shape(settings_.schedule, n0_, n1_after_, c)};
    if (!natural_) shapes.push_back(leg_shape(settings_.schedule, n1_after_, n0_after, c));
    return shapes;
  }

  /// [n0 of this rank][n1][n2 of this rank], between the two legs.
  [[nodiscard]] Complex* between() const {
    return between_ != nullptr ? between_.get() : column_resources_.stage();
  }
  [[nodiscard]] std::size_t plane_after() const { return row_shape_.after(row_place_); }

  /// The rows of a plane of n0, transformed along n2, into plane_.
  void transform_rows(const Transform& transform, std::size_t plane) {
    const std::size_t rows = n1_before_.count(row_place_);
    for (std::size_t row = 0; row < rows; ++row) {
      Complex* to = plane_.get() + row * n2_.total;
      const std::size_t from = (plane * rows + row) * settings_.size[2];
      if (real_ != nullptr) {
        real_->forward(transform.real_in + from, to);
      } else {
        std::copy_n(transform.in + from, n2_.total, to);
        along_n2_[0].run(to);
      }
    }
  }

  void transform_back(const Transform& transform, std::size_t plane) {
    row_leg_.unpack(plane_.get());
    const std::size_t rows = n1_before_.count(row_place_);
    for (std::size_t row = 0; row < rows; ++row) {
      Complex* from = plane_.get() + row * n2_.total;
      const std::size_t to = (plane * rows + row) * settings_.size[2];
      if (real_ != nullptr) {
        real_->inverse(from, transform.real_out + to);
      } else {
        along_n2_[1].run(from);
        std::copy_n(from, n2_.total, transform.out + to);
      }
    }
  }

  fft::Settings settings_;
  bool natural_;
  int row_place_;     // in a row of the grid: 0 to p2 - 1
  int column_place_;  // in a column: 0 to p1 - 1
  Share n0_;
  Share n1_before_;
  Share n1_after_;
  Share n2_;
  LegShape row_shape_;
  std::vector<LegShape> column_shapes_;
  Team row_team_;
  Team column_team_;
  LegResources row_resources_;
  LegResources column_resources_;
  Leg row_leg_;
  std::vector<Leg> column_legs_;
  Scratch plane_;                  // [n1 of this rank][n2]
  Scratch between_;                // where the column legs' stage is one plane only, or packed
  std::vector<Columns> along_n0_;  // forward, inverse
  std::vector<Columns> along_n1_;
  std::vector<Rows> along_n2_;
  std::unique_ptr<RealRows> real_;
};

}  // namespace

std::unique_ptr<FftEngine> grid_engine(Runtime& runtime, const fft::Settings& settings, fft::Timers& timers) {
  return std::make_unique<GridEngine>(runtime, settings, timers);
}

}  // namespace stretto::kernel
