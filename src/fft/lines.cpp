// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include "plan/platform.hpp"

namespace stretto::fft {
namespace {

// Elements of a tile: 256 KiB, a quarter of the second-level cache of today's cores. The minimum width of its
// rows makes reads cover whole cache lines.
constexpr std::size_t tile_elements = 16384;
constexpr std::size_t min_width = 8;
constexpr std::size_t max_width = 64;
constexpr std::size_t padding = 4;  // a cache line

unsigned flags_of(Effort effort) { return effort == Effort::measure ? FFTW_MEASURE : FFTW_ESTIMATE; }

fftw_complex* as_fftw(Complex* data) { return reinterpret_cast<fftw_complex*>(data); }

FftwPlan checked(fftw_plan plan) {
  if (plan == nullptr) throw std::runtime_error("FFTW makes no plan of these sizes");
  return FftwPlan(plan);
}

}  // namespace

double line_flops(std::size_t length) {
  const auto n = static_cast<double>(length);
  return 5 * n * std::log2(n);
}

Scratch make_scratch(std::size_t elements) {
  auto* memory = reinterpret_cast<Complex*>(fftw_alloc_complex(std::max<std::size_t>(elements, 1)));
  if (memory == nullptr) throw std::bad_alloc();
  std::fill_n(memory, elements, Complex{});
  return Scratch(memory);
}

Columns::Columns(std::size_t length, std::size_t columns, int sign, Effort effort)
    : length_(length),
      width_(std::min(std::max<std::size_t>(columns, 1),
                      std::clamp(tile_elements / length, min_width, max_width))),
      stride_(width_ == 1 ? 1 : width_ + padding),
      tile_(make_scratch(length * stride_)) {
  const int n = static_cast<int>(length_);
  const int stride = static_cast<int>(stride_);
  fftw_complex* data = as_fftw(tile_.get());
  plan_ = checked(fftw_plan_many_dft(1, &n, static_cast<int>(width_), data, nullptr, stride, 1, data, nullptr,
                                     stride, 1, sign, flags_of(effort)));
  std::fill_n(tile_.get(), length_ * stride_, Complex{});  // planning overwrites the tile
}

void Columns::run() {
  fftw_execute(plan_.get());
  plan::computed(line_flops(length_) * static_cast<double>(width_));
}

Rows::Rows(std::size_t length, int sign, Effort effort) : length_(length) {
  const Scratch row = make_scratch(length);
  plan_ = checked(fftw_plan_dft_1d(static_cast<int>(length), as_fftw(row.get()), as_fftw(row.get()), sign,
                                   flags_of(effort)));
}

void Rows::run(Complex* row) const {
  fftw_execute_dft(plan_.get(), as_fftw(row), as_fftw(row));
  plan::computed(line_flops(length_));
}

RealRows::RealRows(std::size_t length, Effort effort) : length_(length) {
  const Scratch complex_row = make_scratch(length / 2 + 1);
  const Scratch real_row = make_scratch(length / 2 + 1);
  auto* real = reinterpret_cast<double*>(real_row.get());
  // A row with an odd number of reals may begin at any multiple of 8 bytes.
  const unsigned flags = flags_of(effort) | (length % 2 != 0 ? FFTW_UNALIGNED : 0U);
  forward_ = checked(fftw_plan_dft_r2c_1d(static_cast<int>(length), real, as_fftw(complex_row.get()), flags));
  inverse_ = checked(fftw_plan_dft_c2r_1d(static_cast<int>(length), as_fftw(complex_row.get()), real, flags));
}

void RealRows::forward(const double* from, Complex* to) const {
  // FFTW takes no const, but leaves the input of this transform as it is.
  fftw_execute_dft_r2c(forward_.get(), const_cast<double*>(from), as_fftw(to));
  plan::computed(line_flops(length_) / 2);
}

void RealRows::inverse(Complex* from, double* to) const {
  fftw_execute_dft_c2r(inverse_.get(), as_fftw(from), to);
  plan::computed(line_flops(length_) / 2);
}

}  // namespace stretto::fft
