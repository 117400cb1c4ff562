// SPDX-License-Identifier: BSD-3-Clause
// One-dimensional transforms by FFTW on data that fits into the caches of one core: tiles of columns, and
// rows. Executing a plan changes no shared state.
#pragma once

#include <fftw3.h>

#include <cstddef>
#include <memory>
#include <stretto/fft.hpp>
#include <type_traits>

namespace stretto::fft {

/// The conventional operation count of a complex transform.
[[nodiscard]] double line_flops(std::size_t length);

struct FftwFree {
  void operator()(void* memory) const { fftw_free(memory); }
};
using Scratch = std::unique_ptr<Complex[], FftwFree>;
/// Allocates zeros, aligned for FFTW. Throws std::bad_alloc.
[[nodiscard]] Scratch make_scratch(std::size_t elements);

struct DestroyPlan {
  void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
};
using FftwPlan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, DestroyPlan>;

/// A tile of columns with `length` points each, which a caller fills, transforms and reads. The tile fits
/// into the second-level cache. Its row stride avoids cache conflicts of powers of two.
class Columns {
 public:
  /// `sign` is FFTW's: -1 forward, +1 inverse, unscaled.
  Columns(std::size_t length, std::size_t columns, int sign, Effort effort);

  [[nodiscard]] std::size_t length() const { return length_; }
  /// The maximum number of columns of one tile.
  [[nodiscard]] std::size_t width() const { return width_; }
  /// The row stride of the tile, in elements.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] Complex* row(std::size_t i) { return tile_.get() + i * stride_; }
  /// Transforms all columns. Columns that the caller has not filled may hold any values.
  void run();

 private:
  std::size_t length_;
  std::size_t width_;
  std::size_t stride_;
  Scratch tile_;
  FftwPlan plan_;
};

/// In-place transforms of rows of `length` points, aligned to 16 bytes.
class Rows {
 public:
  Rows(std::size_t length, int sign, Effort effort);
  void run(Complex* row) const;

 private:
  std::size_t length_;
  FftwPlan plan_;
};

/// Transforms of real rows of `length` points to length / 2 + 1 complex ones, and back (which destroys its
/// input).
class RealRows {
 public:
  RealRows(std::size_t length, Effort effort);
  void forward(const double* from, Complex* to) const;
  void inverse(Complex* from, double* to) const;

 private:
  std::size_t length_;
  FftwPlan forward_;
  FftwPlan inverse_;
};

}  // namespace stretto::fft
