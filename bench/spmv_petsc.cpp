// SPDX-License-Identifier: BSD-3-Clause
// Compares stretto's sparse products with PETSc's MatMult on the same ranks, for matrices like av41092.
// PETSc's scatters are of type `basic` (Isend and Irecv) and `window` (MPI-3 RMA).
//
//   mpiexec -n 2 spmv_petsc SAMPLES.jsonl ROUNDS SCALE...
#include <petscmat.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <stretto/runtime.hpp>
#include <stretto/spmv.hpp>
#include <vector>

#include "interleaved_rounds.hpp"
#include "kernels/spmv/problem.hpp"

namespace {

using namespace stretto;

/// The same matrix and vectors in PETSc, with a scatter of type `sf_type`.
class PetscProduct {
 public:
  PetscProduct(const kernel::SpmvProblem& problem, const char* sf_type)
      : part_(problem.part()), x_(problem.x(0)) {
    PetscOptionsSetValue(nullptr, "-sf_type", sf_type);  // read when the matrix is assembled
    const std::vector<PetscInt> start(part_.start.begin(), part_.start.end());
    const std::vector<PetscInt> column(part_.column.begin(), part_.column.end());
    const auto rows = static_cast<PetscInt>(start.size() - 1);
    const auto own = static_cast<PetscInt>(x_.size());
    y_.resize(static_cast<std::size_t>(rows));
    MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, rows, own, PETSC_DETERMINE, PETSC_DETERMINE, start.data(),
                              column.data(), part_.value.data(), &matrix_);
    VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, own, PETSC_DETERMINE, x_.data(), &in_);
    VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, rows, PETSC_DETERMINE, y_.data(), &out_);
  }
  PetscProduct(const PetscProduct&) = delete;
  PetscProduct& operator=(const PetscProduct&) = delete;
  ~PetscProduct() {
    VecDestroy(&in_);
    VecDestroy(&out_);
    MatDestroy(&matrix_);
  }

  void multiply() { MatMult(matrix_, in_, out_); }
  [[nodiscard]] const std::vector<double>& y() const { return y_; }

 private:
  spmv::Part part_;
  std::vector<double> x_;
  std::vector<double> y_;
  Mat matrix_ = nullptr;
  Vec in_ = nullptr;
  Vec out_ = nullptr;
};

/// Times stretto's exchanges and PETSc's scatters at one scale, interleaved. Returns whether this rank's
/// products agree with the exact ones.
bool compare(Runtime& runtime, bench::InterleavedRounds& measurement, int rounds, const std::string& scale) {
  const kernel::SpmvProblem problem({.options = {{"scale", scale}}}, MPI_COMM_WORLD);
  const std::vector<double> x = problem.x(0);
  std::vector<double> y_signalled(problem.part().start.size() - 1);
  std::vector<double> y_vector(y_signalled.size());
  spmv::Plan signalled(runtime, problem.part());
  spmv::Plan vector(runtime, problem.part(), {.exchange = spmv::Exchange::vector});
  PetscProduct basic(problem, "basic");
  PetscProduct window(problem, "window");
  const int repeats = scale == "1" ? 10 : 1;
  const bench::Case one{"spmv", {{"scale", static_cast<std::int64_t>(std::atoi(scale.c_str()))}}, repeats};
  measurement.measure(one,
                      {{"signalled", [&] { signalled.multiply(x, y_signalled); }},
                       {"vector", [&] { vector.multiply(x, y_vector); }},
                       {"petsc-basic", [&] { basic.multiply(); }},
                       {"petsc-window", [&] { window.multiply(); }}},
                      rounds);
  bool right = true;
  using Vectors = std::initializer_list<const std::vector<double>*>;
  for (const std::vector<double>* const y : Vectors{&y_signalled, &y_vector, &basic.y(), &window.y()}) {
    right = problem.deviation(*y, 0) < 1e-12 && right;  // false for NaN, too
  }
  runtime.barrier();
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 4 || size != 2 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: mpiexec -n 2 spmv_petsc SAMPLES.jsonl ROUNDS SCALE...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  PetscInitialize(nullptr, nullptr, nullptr, nullptr);
  bool right = true;
  {
    Runtime runtime(MPI_COMM_WORLD);
    bench::InterleavedRounds measurement(argc, argv, argv[1], argc - 3);
    const int rounds = std::atoi(argv[2]);
    for (int i = 3; i < argc; ++i) right = compare(runtime, measurement, rounds, argv[i]) && right;
    measurement.finish();
  }
  PetscFinalize();
  MPI_Finalize();
  if (!right) std::fprintf(stderr, "the products differ\n");
  return right ? 0 : 1;
}
