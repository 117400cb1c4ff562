// SPDX-License-Identifier: BSD-3-Clause
// The engine on a grid of p1 x p2 ranks, for more ranks than planes.
// n1 and n2 are exchanged among the ranks of a row of the grid, one plane of n0 at a time. n0 and n1 are
// exchanged among those of a column, as in slabs.
// A plane from the row is transformed in the receive buffer and sent along the column while the next one is
// in flight.
#include <algorithm>

#include "fft/engine.hpp"
#include "fft/grid_layout.hpp"
#include "fft/transpose_setup.hpp"
#include "plan/scope_timer.hpp"

namespace stretto::fft {
namespace {

Team team_of(Runtime& runtime, int first, int step, int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ranks[static_cast<std::size_t>(i)] = first + i * step;
  return {runtime, ranks};
}

/// The schedule along a row of the grid: packing covers one plane of n0; with pencils its rows leave one by
/// one.
Schedule row_schedule(const Schedule& schedule) {
  using Shape = Schedule::Shape;
  return {schedule.shape == Shape::pencils ? Shape::slabs : Shape::packed_slabs};
}

class GridEngine final : public FftEngine {
 public:
  GridEngine(Runtime& runtime, const Settings& settings, PlanTimers& timers)
      : settings_(settings),
        timers_(timers),
        natural_(settings.order == Order::natural),
        row_place_(runtime.rank() % settings.grid[1]),
        column_place_(runtime.rank() / settings.grid[1]),
        n0_{settings.size[0], settings.grid[0]},
        n1_before_{settings.size[1], settings.grid[1]},
        n1_after_{settings.size[1], settings.grid[0]},
        n2_{spectrum_length(settings), settings.grid[1]},
        row_shape_(transpose_shape(row_schedule(settings.schedule), n1_before_, n2_, 1)),
        column_shapes_(column_shapes()),
        row_team_(team_of(runtime, column_place_ * settings.grid[1], 1, settings.grid[1])),
        column_team_(team_of(runtime, row_place_, settings.grid[1], settings.grid[0])),
        places_(row_shape_, row_place_, column_shapes_, column_place_),
        arena_(exchange::make_arena(settings.transport, runtime.world(), runtime,
                                    places_.total * sizeof(Complex),
                                    TransposeResources::flags({row_shape_}, true) +
                                        TransposeResources::flags(column_shapes_, natural_))),
        row_resources_(*arena_, row_team_, {row_shape_},
                       {.over = places_.row_buffer, .back = places_.row_back, .buffer_reusable = true}),
        column_resources_(*arena_, column_team_, column_shapes_, column_offsets()),
        row_transpose_(row_shape_, row_resources_.exchanges(0, memory(0)), row_place_, timers),
        line_(make_scratch(n2_.total)) {
    for (std::size_t pattern = 0; pattern < column_shapes_.size(); ++pattern) {
      const std::size_t stage = pattern == 0 ? places_.column_stage : places_.second;
      column_transposes_.emplace_back(column_shapes_[pattern],
                                      column_resources_.exchanges(pattern, memory(stage)), column_place_,
                                      timers);
    }
    for (const int sign : {FFTW_FORWARD, FFTW_BACKWARD}) {
      const std::size_t width = n2_.count(row_place_);
      along_n0_.emplace_back(settings.size[0], width, sign, settings.effort);
      along_n1_.emplace_back(settings.size[1], width, sign, settings.effort);
      along_n2_.emplace_back(settings.size[2], sign, settings.effort);
    }
    if (settings.kind == Kind::real) {
      real_ = std::make_unique<RealRows>(settings.size[2], settings.effort);
    }
  }

  void forward(const Transform& transform) override {
    const plan::ScopeTimer watch(timers_, &PlanTimers::work_s);
    if (places_.column_is_early()) column_transposes_[0].open();
    for (std::size_t plane = 0; plane < planes(); ++plane) {
      if (*transform.before) (*transform.before)(plane);
      const FindPlane line = [&](std::size_t row) { return transformed(transform, plane * rows() + row); };
      row_then_column({.find = &line}, plane, along_n1_[0]);
    }
    column_transposes_[0].finish({.columns = along_n0_.data(),
                                  .to = natural_ ? Consume::To::back : Consume::To::transposed,
                                  .out = natural_ ? nullptr : transform.out});
    if (!natural_) return;
    for (std::size_t plane = 0; plane < planes(); ++plane) {
      return_along_row(plane);
      row_transpose_.unpack(transform.out + plane * row_shape_.before(row_place_));
    }
  }

  void inverse(const Transform& transform) override {
    const plan::ScopeTimer watch(timers_, &PlanTimers::work_s);
    if (!natural_) {
      const VisitPlane home = [&](std::size_t plane, Complex* data) {
        row_transpose_.run_backward(data);
        transform_back(transform, plane);
      };
      return column_transposes_[1].run(
          {.in = transform.in, .columns = &along_n0_[1], .before = transform.before},
          {.columns = &along_n1_[1],
           .to = Consume::To::visited,
           .out = memory(places_.visited),
           .visit = &home,
           .frees_stage = true});
    }
    if (places_.column_is_early()) column_transposes_[0].open();
    for (std::size_t plane = 0; plane < planes(); ++plane) {
      if (*transform.before) (*transform.before)(plane);
      row_then_column({.in = transform.in + plane * row_shape_.before(row_place_)}, plane, along_n1_[1]);
    }
    column_transposes_[0].finish({.columns = &along_n0_[1], .to = Consume::To::back});
    for (std::size_t plane = 0; plane < planes(); ++plane) {
      return_along_row(plane);
      transform_back(transform, plane);
    }
  }

  Box input() const override {
    return {.first = {n0_.first(column_place_), n1_before_.first(row_place_), 0},
            .count = {n0_.count(column_place_), n1_before_.count(row_place_), settings_.size[2]}};
  }

  Box spectrum() const override {
    if (natural_) {
      Box box = input();
      box.count[2] = n2_.total;
      return box;
    }
    return {.first = {0, n1_after_.first(column_place_), n2_.first(row_place_)},
            .count = {n0_.total, n1_after_.count(column_place_), n2_.count(row_place_)}};
  }

  std::span<Complex> storage() const override { return {}; }

  std::size_t copy_bytes() const override { return places_.copy * sizeof(Complex); }
  std::size_t memory_bytes() const override { return arena_->memory_bytes(); }
  std::uint64_t messages() const override { return row_resources_.messages() + column_resources_.messages(); }

 private:
  [[nodiscard]] std::vector<TransposeShape> column_shapes() const {
    const std::size_t c = n2_.count(row_place_);
    const plan::BlockDistribution n0_after{settings_.size[0], settings_.grid[0]};
    std::vector<TransposeShape> shapes{transpose_shape(settings_.schedule, n0_, n1_after_, c)};
    if (!natural_) shapes.push_back(transpose_shape(settings_.schedule, n1_after_, n0_after, c));
    return shapes;
  }

  [[nodiscard]] TransposeOffsets column_offsets() const {
    TransposeOffsets places{.buffer_reusable = true};
    if (natural_) places.back = places_.column_stage;
    return places;
  }

  [[nodiscard]] Complex* memory(std::size_t element) const {
    return reinterpret_cast<Complex*>(arena_->memory()) + element;
  }

  /// The number of planes of n0 on this rank, and the rows of n1 in each, in the input and output.
  [[nodiscard]] std::size_t planes() const { return n0_.count(column_place_); }
  [[nodiscard]] std::size_t rows() const { return n1_before_.count(row_place_); }

  /// Transforms a row of the input along n2.
  const Complex* transformed(const Transform& transform, std::size_t row) {
    const std::size_t from = row * settings_.size[2];
    if (real_ != nullptr) {
      real_->forward(transform.real_in + from, line_.get());
    } else {
      std::copy_n(transform.in + from, n2_.total, line_.get());
      along_n2_[0].run(line_.get());
    }
    return line_.get();
  }

  /// Transposes a plane along the row of the grid, transforms it along n1, and sends it along the column.
  void row_then_column(const Produce& plane_rows, std::size_t plane, Columns& along_n1) {
    Transpose& column = column_transposes_[0];
    if (places_.waits_for_column(plane)) column.all_sent();
    row_transpose_.set_buffers(places_.place_of(plane), memory(places_.row_stage(plane)));
    row_transpose_.run_forward(plane_rows);
    if (planes() == 1) column.open();
    const bool apart = places_.packed && planes() > 1;
    const FindPlane arrived = [this](std::size_t) { return row_transpose_.receive_buffer(); };
    column.add_plane({.find = &arrived, .columns = &along_n1, .in_stage = !apart}, plane);
    if (apart && plane + 1 == planes()) column.open();
  }

  /// Transposes a plane that returned along the column back along the row.
  void return_along_row(std::size_t plane) {
    const Transpose& column = column_transposes_[0];
    if (!places_.packed || planes() == 1) return row_transpose_.run_backward(column.returned(plane, 0));
    column.unpack_plane(plane, row_transpose_.receive_buffer());
    row_transpose_.run_backward(row_transpose_.receive_buffer());
  }

  /// Transforms the rows of a plane along n2 into the output.
  void transform_back(const Transform& transform, std::size_t plane) {
    for (std::size_t row = 0; row < rows(); ++row) {
      row_transpose_.unpack_plane(row, line_.get());
      const std::size_t to = (plane * rows() + row) * settings_.size[2];
      if (real_ != nullptr) {
        real_->inverse(line_.get(), transform.real_out + to);
      } else {
        along_n2_[1].run(line_.get());
        std::copy_n(line_.get(), n2_.total, transform.out + to);
      }
    }
  }

  Settings settings_;
  PlanTimers& timers_;
  bool natural_;
  int row_place_;     // position in a row of the grid: 0 to p2 - 1
  int column_place_;  // position in a column: 0 to p1 - 1
  plan::BlockDistribution n0_;
  plan::BlockDistribution n1_before_;
  plan::BlockDistribution n1_after_;
  plan::BlockDistribution n2_;
  TransposeShape row_shape_;
  std::vector<TransposeShape> column_shapes_;
  Team row_team_;
  Team column_team_;
  GridLayout places_;
  std::shared_ptr<exchange::BufferArena> arena_;
  TransposeResources row_resources_;
  TransposeResources column_resources_;
  Transpose row_transpose_;
  std::vector<Transpose> column_transposes_;
  Scratch line_;                   // a row of n2
  std::vector<Columns> along_n0_;  // forward, inverse
  std::vector<Columns> along_n1_;
  std::vector<Rows> along_n2_;
  std::unique_ptr<RealRows> real_;
};

}  // namespace

std::unique_ptr<FftEngine> grid_engine(Runtime& runtime, const Settings& settings, PlanTimers& timers) {
  return std::make_unique<GridEngine>(runtime, settings, timers);
}

}  // namespace stretto::fft
