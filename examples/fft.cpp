// SPDX-License-Identifier: BSD-3-Clause
// A distributed transform in three dimensions: its transpose runs under the computation. A plane wave becomes
// one number of the spectrum, and the inverse gives the wave back.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <stretto/fft.hpp>
#include <stretto/runtime.hpp>
#include <vector>

#include "conclude.hpp"

namespace {

using stretto::fft::Box;
using stretto::fft::Complex;

constexpr std::array<std::size_t, 3> size{16, 12, 10};
constexpr std::array<std::size_t, 3> wave{3, 5, 7};  // the wave's frequency in each dimension
constexpr double points = 16 * 12 * 10;

/// The elements of a box in the order in which they lie in memory, the last index fastest.
template <typename Visit>
void for_each(const Box& box, const Visit& visit) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < box.count[0]; ++i) {
    for (std::size_t j = 0; j < box.count[1]; ++j) {
      for (std::size_t k = 0; k < box.count[2]; ++k) {
        visit(at++, std::array{box.first[0] + i, box.first[1] + j, box.first[2] + k});
      }
    }
  }
}

bool transform() {
  stretto::Runtime runtime(MPI_COMM_WORLD);
  stretto::fft::Plan plan(runtime, {.size = size});
  std::vector<Complex> field(plan.input().elements());
  for_each(plan.input(), [&](std::size_t at, const std::array<std::size_t, 3>& place) {
    double phase = 0;
    for (std::size_t d = 0; d < 3; ++d)
      phase += static_cast<double>(wave[d] * place[d]) / static_cast<double>(size[d]);
    field[at] = std::polar(1.0, 2 * std::numbers::pi * phase);
  });

  std::vector<Complex> spectrum(plan.spectrum().elements());
  plan.forward(std::span<const Complex>(field), spectrum);
  double error = 0;
  for_each(plan.spectrum(), [&](std::size_t at, const std::array<std::size_t, 3>& frequency) {
    error = std::max(error, std::abs(spectrum[at] - (frequency == wave ? points : 0.0)));
  });

  std::vector<Complex> back(field.size());
  plan.inverse(std::span<const Complex>(spectrum), back);
  for (std::size_t i = 0; i < field.size(); ++i) {
    error = std::max(error, std::abs(back[i] / points - field[i]));  // transforms are unscaled
  }
  runtime.barrier();
  return error < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const bool right = transform();
  return examples::conclude(right, "fft: a plane wave became one number, and the inverse gave it back");
}
