// SPDX-License-Identifier: BSD-3-Clause
// The engine for slabs: each rank has whole planes of n1 x n2, and after the transpose whole planes of n0 x
// n2.
#include <algorithm>

#include "fft/engine.hpp"
#include "fft/transpose_setup.hpp"
#include "plan/scope_timer.hpp"

namespace stretto::fft {
namespace {

std::vector<TransposeShape> shapes_of(const Settings& settings, int ranks) {
  const plan::BlockDistribution n0{settings.size[0], ranks};
  const plan::BlockDistribution n1{settings.size[1], ranks};
  const std::size_t c = spectrum_length(settings);
  std::vector<TransposeShape> shapes{transpose_shape(settings.schedule, n0, n1, c)};
  if (settings.order == Order::transposed) shapes.push_back(transpose_shape(settings.schedule, n1, n0, c));
  return shapes;
}

/// The largest part of this rank after any of the transposes, in elements.
std::size_t largest_after(const std::vector<TransposeShape>& shapes, int rank) {
  std::size_t elements = 0;
  for (const TransposeShape& shape : shapes) elements = std::max(elements, shape.after(rank));
  return elements;
}

std::size_t largest_before(const std::vector<TransposeShape>& shapes, int rank) {
  std::size_t elements = 0;
  for (const TransposeShape& shape : shapes) elements = std::max(elements, shape.before(rank));
  return elements;
}

/// The receive buffer of the forward transpose. In natural order that of the backward transpose follows, and
/// also serves as the stage.
TransposeOffsets places_of(const std::vector<TransposeShape>& shapes, int rank, bool natural) {
  if (!natural) return {};
  return {.back = whole_line_of(largest_after(shapes, rank))};
}

std::shared_ptr<exchange::BufferArena> arena_of(Runtime& runtime, const Settings& settings,
                                                const std::vector<TransposeShape>& shapes) {
  const bool natural = settings.order == Order::natural;
  const int rank = runtime.rank();
  const std::size_t elements =
      natural ? *places_of(shapes, rank, natural).back + shapes[0].before(rank) : largest_after(shapes, rank);
  return exchange::make_arena(settings.transport, runtime.world(), runtime, elements * sizeof(Complex),
                              TransposeResources::flags(shapes, natural));
}

/// The transforms of one direction.
struct Direction {
  Direction(const Settings& settings, int sign)
      : n0(settings.size[0], spectrum_length(settings), sign, settings.effort),
        n1(settings.size[1], spectrum_length(settings), sign, settings.effort) {
    if (settings.kind == Kind::complex) n2 = std::make_unique<Rows>(settings.size[2], sign, settings.effort);
  }
  Columns n0;
  Columns n1;
  std::unique_ptr<Rows> n2;
};

class SlabEngine final : public FftEngine {
 public:
  SlabEngine(Runtime& runtime, const Settings& settings, PlanTimers& timers)
      : settings_(settings),
        timers_(timers),
        rank_(runtime.rank()),
        natural_(settings.order == Order::natural),
        shapes_(shapes_of(settings, runtime.size())),
        arena_(arena_of(runtime, settings, shapes_)),
        resources_(*arena_, runtime.world(), shapes_, places_of(shapes_, rank_, natural_)),
        forward_(settings, FFTW_FORWARD),
        inverse_(settings, FFTW_BACKWARD),
        real_(settings.kind == Kind::real ? std::make_unique<RealRows>(settings.size[2], settings.effort)
                                          : nullptr) {
    if (natural_) {
      stage_ = reinterpret_cast<Complex*>(resources_.exchanges(0, nullptr).back->receive_buffer());
    } else {
      const bool one_plane = resources_.all_copies() && !shapes_[0].packed;
      own_stage_elements_ = one_plane ? largest_plane() : largest_before(shapes_, rank_);
      own_stage_ = make_scratch(own_stage_elements_);
      stage_ = own_stage_.get();
    }
    for (std::size_t pattern = 0; pattern < shapes_.size(); ++pattern) {
      transposes_.emplace_back(shapes_[pattern], resources_.exchanges(pattern, stage_), rank_, timers);
    }
  }

  void forward(const Transform& transform) override {
    const plan::ScopeTimer watch(timers_, &PlanTimers::work_s);
    transposes_[0].run({.in = transform.in,
                        .real_in = transform.real_in,
                        .real_length = settings_.size[2],
                        .real_rows = real_.get(),
                        .columns = &forward_.n1,
                        .rows = forward_.n2.get(),
                        .before = transform.before},
                       {.columns = &forward_.n0,
                        .to = natural_ ? Consume::To::back : Consume::To::transposed,
                        .out = transform.out});
    if (natural_) transposes_[0].unpack(transform.out);
  }

  void inverse(const Transform& transform) override {
    const plan::ScopeTimer watch(timers_, &PlanTimers::work_s);
    // From transposed order the roles of the dimensions are exchanged.
    Transpose& transpose = transposes_.back();
    Columns& first = natural_ ? inverse_.n1 : inverse_.n0;
    Columns& second = natural_ ? inverse_.n0 : inverse_.n1;
    Consume consume{.columns = &second,
                    .out = transform.out,
                    .real_out = transform.real_out,
                    .real_length = settings_.size[2],
                    .real_rows = real_.get()};
    if (natural_) {
      consume.to = Consume::To::back;
    } else {
      consume.to = real_ != nullptr ? Consume::To::real : Consume::To::transposed;
    }
    transpose.run(
        {.in = transform.in, .columns = &first, .rows = inverse_.n2.get(), .before = transform.before},
        consume);
    if (!natural_) return;
    if (real_ == nullptr) return transpose.unpack(transform.out);
    const std::size_t rows = settings_.size[1];
    for (std::size_t plane = 0; plane < shapes_[0].a.count(rank_); ++plane) {
      for (std::size_t row = 0; row < rows; ++row) {
        real_->inverse(transpose.returned(plane, row),
                       transform.real_out + (plane * rows + row) * settings_.size[2]);
      }
    }
  }

  Box input() const override {
    const plan::BlockDistribution& n0 = shapes_[0].a;
    return {.first = {n0.first(rank_), 0, 0},
            .count = {n0.count(rank_), settings_.size[1], settings_.size[2]}};
  }

  Box spectrum() const override {
    const plan::BlockDistribution& n0 = shapes_[0].a;
    const plan::BlockDistribution& n1 = shapes_[0].b;
    const std::size_t c = shapes_[0].c;
    if (natural_) return {.first = {n0.first(rank_), 0, 0}, .count = {n0.count(rank_), n1.total, c}};
    return {.first = {0, n1.first(rank_), 0}, .count = {n0.total, n1.count(rank_), c}};
  }

  std::span<Complex> storage() const override {
    if (!natural_ || real_ != nullptr || shapes_[0].packed) return {};
    return {stage_, shapes_[0].before(rank_)};
  }

  std::size_t copy_bytes() const override {
    return std::max(shapes_[0].before(rank_), shapes_[0].after(rank_)) * sizeof(Complex);
  }
  std::size_t memory_bytes() const override {
    return arena_->memory_bytes() + own_stage_elements_ * sizeof(Complex);
  }
  std::uint64_t messages() const override { return resources_.messages(); }

 private:
  [[nodiscard]] std::size_t largest_plane() const {
    std::size_t elements = 0;
    for (const TransposeShape& shape : shapes_) elements = std::max(elements, shape.b.total * shape.c);
    return elements;
  }

  Settings settings_;
  PlanTimers& timers_;
  int rank_;
  bool natural_;
  std::vector<TransposeShape> shapes_;  // the forward shape; in transposed order also that of the inverse
  std::shared_ptr<exchange::BufferArena> arena_;
  TransposeResources resources_;
  Scratch own_stage_;  // used in transposed order
  std::size_t own_stage_elements_ = 0;
  Complex* stage_ = nullptr;
  Direction forward_;
  Direction inverse_;
  std::unique_ptr<RealRows> real_;
  std::vector<Transpose> transposes_;  // by shape
};

}  // namespace

std::unique_ptr<FftEngine> slab_engine(Runtime& runtime, const Settings& settings, PlanTimers& timers) {
  return std::make_unique<SlabEngine>(runtime, settings, timers);
}

}  // namespace stretto::fft
