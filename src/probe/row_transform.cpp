// SPDX-License-Identifier: BSD-3-Clause
#include "probe/row_transform.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace stretto::probe {
namespace {

constexpr std::size_t alignment_bytes = 16;

bool is_smooth(std::size_t number) {
  for (const std::size_t prime : {2, 3, 5, 7}) {
    while (number % prime == 0) number /= prime;
  }
  return number == 1;
}

/// The length up to `longest` with the number of operations nearest to `flops`; 0 where no transform is
/// nearer.
std::size_t length_for(double flops, std::size_t longest) {
  std::size_t best = 0;
  double smallest_error = flops;
  for (std::size_t length = 2; length <= longest; ++length) {
    const double error = std::abs(fft_flops(length) - flops);
    if (error < smallest_error && is_smooth(length)) {
      best = length;
      smallest_error = error;
    }
    if (fft_flops(length) > 2 * flops) break;
  }
  return best;
}

struct FftwFree {
  void operator()(fftw_complex* memory) const { fftw_free(memory); }
};
using Buffer = std::unique_ptr<fftw_complex[], FftwFree>;

/// Copies the FFTW wisdom of rank 0 to all ranks. Collective.
void share_wisdom(measure::Team& team) {
  std::string wisdom;
  if (team.rank() == 0) {
    const std::unique_ptr<char, decltype(&fftw_free)> exported(fftw_export_wisdom_to_string(), fftw_free);
    if (exported) wisdom = exported.get();
  }
  std::uint64_t length = wisdom.size();
  team.share(length);
  wisdom.resize(length);
  team.broadcast(std::as_writable_bytes(std::span{wisdom}));
  if (team.rank() != 0) fftw_import_wisdom_from_string(wisdom.c_str());
}

}  // namespace

double fft_flops(std::size_t length) {
  const auto elements = static_cast<double>(length);
  return length < 2 ? 0 : 5 * elements * std::log2(elements);
}

double TransformPlan::flops() const {
  return static_cast<double>(whole) * fft_flops(row_length) + fft_flops(part_length);
}

TransformPlan transform_plan(std::size_t row_length, double scale) {
  const double whole = std::floor(scale);
  TransformPlan plan{.row_length = row_length, .whole = static_cast<std::size_t>(whole)};
  plan.part_length = length_for((scale - whole) * fft_flops(row_length), row_length);
  return plan;
}

struct RowTransform::Plans {
  struct DestroyPlan {
    void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
  };
  using Plan = std::unique_ptr<fftw_plan_s, DestroyPlan>;

  static Plan make(std::size_t length) {
    if (length == 0) return nullptr;
    const Buffer in(fftw_alloc_complex(length));
    const Buffer out(fftw_alloc_complex(length));
    if (!in || !out) throw std::bad_alloc();
    Plan plan(fftw_plan_dft_1d(static_cast<int>(length), in.get(), out.get(), FFTW_FORWARD, FFTW_MEASURE));
    if (!plan) throw std::runtime_error("FFTW has no plan for " + std::to_string(length) + " elements");
    return plan;
  }

  static void execute(const Plan& plan, const std::complex<double>* source, std::complex<double>* row) {
    // FFTW does not write the input of an out-of-place complex transform. Its complex type has the layout of
    // C++'s.
    auto* in = reinterpret_cast<fftw_complex*>(const_cast<std::complex<double>*>(source));
    fftw_execute_dft(plan.get(), in, reinterpret_cast<fftw_complex*>(row));
  }

  Plan whole;
  Plan part;
};

RowTransform::RowTransform(const TransformPlan& plan, measure::Team& team)
    : plan_(plan), plans_(std::make_unique<Plans>()) {
  const auto make = [&] {
    if (plan_.whole > 0) plans_->whole = Plans::make(plan_.row_length);
    plans_->part = Plans::make(plan_.part_length);
  };
  if (team.rank() == 0) make();
  share_wisdom(team);
  if (team.rank() != 0) make();
}

RowTransform::~RowTransform() = default;

void RowTransform::run(const std::complex<double>* source, std::complex<double>* row) const {
  if (reinterpret_cast<std::uintptr_t>(source) % alignment_bytes != 0 ||
      reinterpret_cast<std::uintptr_t>(row) % alignment_bytes != 0) {
    throw std::logic_error("a row must lie at a multiple of 16 bytes");
  }
  // The partial transform comes first, so that the row finally holds the complete transform, where there is
  // one.
  if (plans_->part) Plans::execute(plans_->part, source, row);
  for (std::size_t repeat = 0; repeat < plan_.whole; ++repeat) Plans::execute(plans_->whole, source, row);
}

}  // namespace stretto::probe
