// SPDX-License-Identifier: BSD-3-Clause
// Compares complex forward transforms with FFTW-MPI's on the same ranks, in natural and transposed order, out
// of place. Both measure their plans.
//
//   mpiexec -n 2 fft_fftw_mpi SAMPLES.jsonl ROUNDS N
#include <fftw3-mpi.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stretto/fft.hpp>
#include <stretto/runtime.hpp>

#include "interleaved_rounds.hpp"

namespace {

using namespace stretto;
using fft::Complex;

/// Memory with FFTW's alignment.
using Array = std::unique_ptr<fftw_complex, decltype(&fftw_free)>;
Array array(std::ptrdiff_t elements) {
  return {fftw_alloc_complex(static_cast<std::size_t>(elements)), &fftw_free};
}

void fill(fftw_complex* data, std::ptrdiff_t elements) {
  for (std::ptrdiff_t i = 0; i < elements; ++i) {
    data[i][0] = static_cast<double>(i % 1013) / 1013;
    data[i][1] = static_cast<double>(i % 509) / 509;
  }
}

std::span<const Complex> read(const Array& data, std::size_t elements) {
  return {reinterpret_cast<const Complex*>(data.get()), elements};
}
std::span<Complex> write(const Array& data, std::size_t elements) {
  return {reinterpret_cast<Complex*>(data.get()), elements};
}

/// Times both in one order on the same input. Returns the largest difference of their spectra on this rank.
double compare(Runtime& runtime, bench::InterleavedRounds& turns, int rounds, std::size_t n,
               fft::Order order) {
  const bool natural = order == fft::Order::natural;
  const auto size = static_cast<std::ptrdiff_t>(n);
  std::ptrdiff_t planes = 0;
  std::ptrdiff_t first = 0;
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t first_row = 0;
  const std::ptrdiff_t elements =
      fftw_mpi_local_size_3d_transposed(size, size, size, MPI_COMM_WORLD, &planes, &first, &rows, &first_row);
  const Array in = array(elements);
  const Array out = array(elements);
  const Array peer_out = array(elements);
  fftw_plan peer =
      fftw_mpi_plan_dft_3d(size, size, size, in.get(), peer_out.get(), MPI_COMM_WORLD, FFTW_FORWARD,
                           FFTW_MEASURE | (natural ? 0U : FFTW_MPI_TRANSPOSED_OUT));
  fft::Plan plan = fft::Plan::tuned(runtime, {.size = {n, n, n}, .order = order});
  const std::size_t mine = plan.input().elements();
  const std::size_t theirs = plan.spectrum().elements();
  fill(in.get(), elements);
  if (runtime.rank() == 0) {
    std::printf("# %s order: %s\n", natural ? "natural" : "transposed",
                fft::to_string(plan.settings().schedule).c_str());
  }
  turns.measure({.probe = natural ? "fft-natural" : "fft-transposed"},
                {{"stretto", [&] { plan.forward(read(in, mine), write(out, theirs)); }},
                 {"fftw-mpi", [&] { fftw_execute(peer); }}},
                rounds);
  double worst = 0;
  for (std::size_t i = 0; i < theirs; ++i) {
    worst = std::max(worst, std::abs(write(out, theirs)[i] - write(peer_out, theirs)[i]));
  }
  fftw_destroy_plan(peer);
  return worst / static_cast<double>(n * n * n);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 4 || size != 2 || std::atoi(argv[2]) < 1 || std::atoi(argv[3]) < 2) {
    std::fprintf(stderr, "usage: mpiexec -n 2 fft_fftw_mpi SAMPLES.jsonl ROUNDS N\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  fftw_mpi_init();
  const auto n = static_cast<std::size_t>(std::atoi(argv[3]));
  double worst = 0;
  {
    Runtime runtime(MPI_COMM_WORLD);
    bench::InterleavedRounds turns(argc, argv, argv[1], 2);
    for (const fft::Order order : {fft::Order::natural, fft::Order::transposed}) {
      worst = std::max(worst, compare(runtime, turns, std::atoi(argv[2]), n, order));
    }
    turns.finish();
  }
  fftw_mpi_cleanup();
  MPI_Finalize();
  if (worst > 1e-12) std::fprintf(stderr, "the spectra differ by %g\n", worst);
  return worst > 1e-12 ? 1 : 0;
}
