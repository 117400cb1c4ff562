// SPDX-License-Identifier: BSD-3-Clause
// stretto-run runs one kernel over MPI, real or simulated. Rank 0 prints one JSON document. The exit status
// is 0 for success, 1 for a failure, 2 for wrong input, and 3 for a wrong solution.
#include <mpi.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "kernels/kernels.hpp"
#include "kernels/measured_choice.hpp"
#include "kernels/run_document.hpp"
#include "kernels/run_request.hpp"
#include "mpi/program.hpp"

namespace {

using namespace stretto;

int run(int argc, char** argv) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const tools::RunRequest given = tools::run_request(argc, argv);
  if (!given.text.empty()) {
    if (rank == 0) std::fputs(given.text.c_str(), stdout);
    return 0;
  }
  const kernel::Kernel& kernel = kernel::find_kernel(given.kernel);
  kernel::Request request = given.request;
  std::optional<kernel::Choice> choice;
  if (request.variant == kernel::chosen_by_measuring) {
    choice = kernel::measured_choice(kernel, request, MPI_COMM_WORLD);
    request = kernel::with(request, choice->trials[choice->chosen].alternative);
  }
  request = kernel::checked(kernel, request);
  kernel::RunResult result = kernel.run(request, MPI_COMM_WORLD);
  result.choice = std::move(choice);
  if (rank == 0) {
    std::printf("%s\n", tools::run_document(kernel.name, request, result, ranks).c_str());
    std::fflush(stdout);
  }
  return result.verified ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  // A transport may use a progress thread.
  return mpi::run_program("stretto-run", argc, argv, MPI_THREAD_MULTIPLE, [&] { return run(argc, argv); });
}
