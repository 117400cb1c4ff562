// SPDX-License-Identifier: BSD-3-Clause
// Slabs: each rank has whole planes of n1 x n2, and after the transpose whole planes of n0 x n2.
#include "kernel/fft/engine.hpp"
#include "kernel/fft/leg_setup.hpp"
#include "kernel/scope_timer.hpp"

namespace stretto::kernel {
namespace {

std::vector<LegShape> shapes_of(const fft::Settings& settings, int ranks) {
  const Share n0{settings.size[0], ranks};
  const Share n1{settings.size[1], ranks};
  const std::size_t c = spectrum_length(settings);
  std::vector<LegShape> shapes{leg_shape(settings.schedule, n0, n1, c)};
  if (settings.order == fft::Order::transposed) shapes.push_back(leg_shape(settings.schedule, n1, n0, c));
  return shapes;
}

/// The transforms of one direction.
struct Direction {
  Direction(const fft::Settings& settings, int sign)
      : n0(settings.size[0], spectrum_length(settings), sign, settings.effort),
        n1(settings.size[1], spectrum_length(settings), sign, settings.effort) {
    if (settings.kind == fft::Kind::complex)
      n2 = std::make_unique<Rows>(settings.size[2], sign, settings.effort);
  }
  Columns n0;
  Columns n1;
  std::unique_ptr<Rows> n2;
};

class SlabEngine final : public FftEngine {
 public:
  SlabEngine(Runtime& runtime, const fft::Settings& settings, fft::Timers& timers)
      : settings_(settings),
        timers_(timers),
        rank_(runtime.rank()),
        natural_(settings.order == fft::Order::natural),
        shapes_(shapes_of(settings, runtime.size())),
        resources_(runtime, runtime.world(), settings.transport, shapes_, natural_),
        forward_(settings, FFTW_FORWARD),
        inverse_(settings, FFTW_BACKWARD),
        real_(settings.kind == fft::Kind::real ? std::make_unique<RealRows>(settings.size[2], settings.effort)
                                               : nullptr) {
    for (std::size_t route = 0; route < shapes_.size(); ++route) {
      legs_.emplace_back(shapes_[route], resources_.movers(route), rank_, timers);
    }
  }

  void forward(const Transform& transform) override {
    const ScopeTimer watch(timers_, &fft::Timers::work_s);
    legs_[0].run({.in = transform.in,
                  .real_in = transform.real_in,
                  .real_length = settings_.size[2],
                  .real_rows = real_.get(),
                  .columns = &forward_.n1,
                  .rows = forward_.n2.get(),
                  .before = transform.before},
                 {.columns = &forward_.n0,
                  .to = natural_ ? Consume::To::back : Consume::To::transposed,
                  .out = transform.out});
    if (natural_) legs_[0].unpack(transform.out);
  }

  void inverse(const Transform& transform) override {
    const ScopeTimer watch(timers_, &fft::Timers::work_s);
    // From transposed order the dimensions change places.
    Leg& leg = legs_.back();
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
    leg.run({.in = transform.in, .columns = &first, .rows = inverse_.n2.get(), .before = transform.before},
            consume);
    if (!natural_) return;
    if (real_ == nullptr) return leg.unpack(transform.out);
    const std::size_t rows = settings_.size[1];
    for (std::size_t plane = 0; plane < shapes_[0].a.count(rank_); ++plane) {
      for (std::size_t row = 0; row < rows; ++row) {
        real_->inverse(leg.returned(plane, row),
                       transform.real_out + (plane * rows + row) * settings_.size[2]);
      }
    }
  }

  fft::Box input() const override {
    const Share& n0 = shapes_[0].a;
    return {.first = {n0.first(rank_), 0, 0},
            .count = {n0.count(rank_), settings_.size[1], settings_.size[2]}};
  }

  fft::Box spectrum() const override {
    const Share& n0 = shapes_[0].a;
    const Share& n1 = shapes_[0].b;
    const std::size_t c = shapes_[0].c;
    if (natural_) return {.first = {n0.first(rank_), 0, 0}, .count = {n0.count(rank_), n1.total, c}};
    return {.first = {0, n1.first(rank_), 0}, .count = {n0.total, n1.count(rank_), c}};
  }

  std::span<fft::Complex> storage() const override {
    if (!natural_ || real_ != nullptr || shapes_[0].packed) return {};
    return {resources_.stage(), shapes_[0].before(rank_)};
  }

  std::size_t memory_bytes() const override { return resources_.memory_bytes(); }
  std::uint64_t messages() const override { return resources_.messages(); }

 private:
  fft::Settings settings_;
  fft::Timers& timers_;
  int rank_;
  bool natural_;
  std::vector<LegShape> shapes_;  // forward; where the order is transposed, the inverse, too
  LegResources resources_;
  Direction forward_;
  Direction inverse_;
  std::unique_ptr<RealRows> real_;
  std::vector<Leg> legs_;  // by shape
};

}  // namespace

std::unique_ptr<FftEngine> slab_engine(Runtime& runtime, const fft::Settings& settings, fft::Timers& timers) {
  return std::make_unique<SlabEngine>(runtime, settings, timers);
}

}  // namespace stretto::kernel
