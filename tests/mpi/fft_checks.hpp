// SPDX-License-Identifier: BSD-3-Clause
// What a plan is held against: FFTW on one process, Parseval, and the way back.
#pragma once

#include <fftw3.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <numeric>
#include <stretto/fft.hpp>
#include <stretto/runtime.hpp>
#include <vector>

namespace stretto::fft {

using Size = std::array<std::size_t, 3>;

inline std::size_t volume(const Size& size) { return size[0] * size[1] * size[2]; }

/// A number between -1 and 1 that depends on every bit of the place.
inline double noise(std::uint64_t place) {
  place += 0x9E3779B97F4A7C15U;
  place = (place ^ (place >> 30U)) * 0xBF58476D1CE4E5B9U;
  place = (place ^ (place >> 27U)) * 0x94D049BB133111EBU;
  return static_cast<double>(place >> 11U) * 0x1p-52 - 1;
}

inline Complex value_at(std::uint64_t place, Kind kind) {
  return {noise(2 * place), kind == Kind::complex ? noise(2 * place + 1) : 0};
}

/// Visits every element of a box as (index in the whole array, index in this rank's memory).
template <typename Visit>
void visit(const Box& box, const Size& size, bool transposed, Visit&& each) {
  std::size_t here = 0;
  const std::size_t outer = transposed ? 1 : 0;
  const std::size_t middle = 1 - outer;
  Size at{};
  for (std::size_t i = 0; i < box.count[outer]; ++i) {
    for (std::size_t j = 0; j < box.count[middle]; ++j) {
      for (std::size_t k = 0; k < box.count[2]; ++k) {
        at[outer] = box.first[outer] + i;
        at[middle] = box.first[middle] + j;
        at[2] = box.first[2] + k;
        each((at[0] * size[1] + at[1]) * size[2] + at[2], here++);
      }
    }
  }
}

/// The transform by FFTW in one piece, of array number `index` of a batch.
inline std::vector<Complex> reference(const Size& size, Kind kind, std::size_t index) {
  std::vector<Complex> whole(volume(size));
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = value_at(i + index * whole.size(), kind);
  auto* data = reinterpret_cast<fftw_complex*>(whole.data());
  fftw_plan plan = fftw_plan_dft_3d(static_cast<int>(size[0]), static_cast<int>(size[1]),
                                    static_cast<int>(size[2]), data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return whole;
}

inline double norm(const std::vector<Complex>& values) {
  return std::sqrt(std::accumulate(values.begin(), values.end(), 0.0,
                                   [](double sum, const Complex& value) { return sum + std::norm(value); }));
}

inline double sum_over_ranks(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// Forward against the reference, Parseval, and back again; out of place, or in place in one array.
inline void check_complex(Plan& plan, bool in_place) {
  const Size size = plan.settings().size;
  const std::size_t mine = plan.input().elements();
  const std::size_t theirs = plan.spectrum().elements();
  const std::size_t batch = plan.settings().batch;
  const bool transposed = plan.settings().order == Order::transposed;
  std::vector<Complex> in(in_place ? batch * std::max(mine, theirs) : batch * mine);
  std::vector<Complex> apart(in_place ? 0 : batch * theirs);
  std::vector<Complex>& out = in_place ? in : apart;
  for (std::size_t index = 0; index < batch; ++index) {
    visit(plan.input(), size, false, [&](std::size_t global, std::size_t here) {
      in[index * mine + here] = value_at(global + index * volume(size), Kind::complex);
    });
  }
  plan.forward(std::span<const Complex>(in.data(), batch * mine), std::span(out.data(), batch * theirs));
  double energy = 0;
  double expected_energy = 0;
  for (std::size_t index = 0; index < batch; ++index) {
    const std::vector<Complex> whole = reference(size, Kind::complex, index);
    double error = 0;
    visit(plan.spectrum(), size, transposed, [&](std::size_t global, std::size_t here) {
      error += std::norm(out[index * theirs + here] - whole[global]);
      energy += std::norm(out[index * theirs + here]);
    });
    EXPECT_LE(std::sqrt(error), 1e-12 * norm(whole)) << "array " << index;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      expected_energy += std::norm(value_at(i + index * whole.size(), Kind::complex));
    }
  }
  EXPECT_NEAR(sum_over_ranks(energy) / static_cast<double>(volume(size)), expected_energy,
              1e-12 * expected_energy)
      << "Parseval";
  std::vector<Complex> back_apart(in_place ? 0 : batch * mine);
  std::vector<Complex>& back = in_place ? in : back_apart;
  plan.inverse(std::span<const Complex>(out.data(), batch * theirs), std::span(back.data(), batch * mine));
  double worst = 0;
  for (std::size_t index = 0; index < batch; ++index) {
    visit(plan.input(), size, false, [&](std::size_t global, std::size_t here) {
      const Complex scaled = back[index * mine + here] / static_cast<double>(volume(size));
      worst = std::max(worst, std::abs(scaled - value_at(global + index * volume(size), Kind::complex)));
    });
  }
  EXPECT_LE(worst, 1e-12) << "inverse";
}

/// A real array in the memory of its spectrum, there and back.
inline void check_real_in_place(Plan& plan) {
  const Size size = plan.settings().size;
  const std::size_t mine = plan.input().elements();
  std::vector<Complex> memory(std::max(plan.spectrum().elements(), mine / 2 + 1));
  const std::span<Complex> spectrum(memory.data(), plan.spectrum().elements());
  auto* reals = reinterpret_cast<double*>(memory.data());
  visit(plan.input(), size, false,
        [&](std::size_t global, std::size_t here) { reals[here] = value_at(global, Kind::real).real(); });
  plan.forward(std::span<const double>(reals, mine), spectrum);
  plan.inverse(std::span<const Complex>(spectrum), std::span(reals, mine));
  visit(plan.input(), size, false, [&](std::size_t global, std::size_t here) {
    EXPECT_NEAR(reals[here] / static_cast<double>(volume(size)), value_at(global, Kind::real).real(), 1e-12);
  });
}

inline void check_real(Plan& plan) {
  const Size size = plan.settings().size;
  std::vector<double> in(plan.input().elements());
  visit(plan.input(), size, false,
        [&](std::size_t global, std::size_t here) { in[here] = value_at(global, Kind::real).real(); });
  const std::vector<double> kept = in;
  std::vector<Complex> out(plan.spectrum().elements());
  plan.forward(std::span<const double>(in), out);
  EXPECT_EQ(in, kept) << "the input was changed";
  const std::vector<Complex> whole = reference(size, Kind::real, 0);
  double error = 0;
  visit(plan.spectrum(), size, plan.settings().order == Order::transposed,
        [&](std::size_t global, std::size_t here) { error += std::norm(out[here] - whole[global]); });
  EXPECT_LE(std::sqrt(error), 1e-12 * norm(whole));
  std::vector<double> back(in.size());
  plan.inverse(std::span<const Complex>(out), std::span(back));
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_NEAR(back[i] / static_cast<double>(volume(size)), in[i], 1e-12);
  }
}

/// 2 x 2 of four ranks, else a row of them all.
inline std::array<int, 2> grid_of(const Runtime& runtime) {
  const int p1 = runtime.size() == 4 ? 2 : 1;
  return {p1, runtime.size() / p1};
}

}  // namespace stretto::fft
