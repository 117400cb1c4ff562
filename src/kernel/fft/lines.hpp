// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one dimension, by FFTW, on what one core has in its caches: tiles of columns, and rows.
// Plans are made once; running them changes nothing else.
#pragma once

#include <fftw3.h>

#include <cstddef>
#include <memory>
#include <stretto/fft.hpp>
#include <type_traits>

namespace stretto::kernel {

using fft::Complex;
using fft::Effort;

struct FftwFree {
  void operator()(void* memory) const { fftw_free(memory); }
};
using Scratch = std::unique_ptr<Complex[], FftwFree>;
/// Zeroed, aligned for FFTW. Throws std::bad_alloc.
[[nodiscard]] Scratch make_scratch(std::size_t elements);

struct DestroyPlan {
  void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
};
using FftwPlan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, DestroyPlan>;

/// `length` points down each column of a tile, that a caller fills, transforms and empties. The tile fits
/// into a cache of the second level, and its rows are apart such that powers of two don't meet in one set.
class Columns {
 public:
  /// `sign` is FFTW's: -1 forward, +1 inverse, unscaled.
  Columns(std::size_t length, std::size_t columns, int sign, Effort effort);

  [[nodiscard]] std::size_t length() const { return length_; }
  /// The most columns that one tile takes.
  [[nodiscard]] std::size_t width() const { return width_; }
  /// Elements from one row of the tile to the next.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] Complex* row(std::size_t i) { return tile_.get() + i * stride_; }
  /// Transforms all columns. What is in those that the caller has not filled is of no consequence.
  void run();

 private:
  std::size_t length_;
  std::size_t width_;
  std::size_t stride_;
  Scratch tile_;
  FftwPlan plan_;
};

/// Rows of `length` points, in place; aligned to 16 bytes.
class Rows {
 public:
  Rows(std::size_t length, int sign, Effort effort);
  void run(Complex* row) const;

 private:
  std::size_t length_;
  FftwPlan plan_;
};

/// Real rows of `length` points to length / 2 + 1 complex ones, and back (which destroys its input).
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

}  // namespace stretto::kernel
