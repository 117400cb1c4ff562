// SPDX-License-Identifier: BSD-3-Clause
// stretto-run runs one kernel over MPI, real or simulated. Rank 0 prints one JSON document. The exit status
// is 0 for success, 1 for a failure, 2 for wrong input, and 3 for a wrong solution.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "kernels/kernels.hpp"
#include "kernels/run_document.hpp"
#include "kernels/run_request.hpp"
#include "mpi/abort.hpp"

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
  const kernel::Request request = kernel::checked(kernel, given.request);
  const kernel::RunResult result = kernel.run(request, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("%s\n", tools::run_document(kernel.name, request, result, ranks).c_str());
    std::fflush(stdout);
  }
  return result.verified ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);  // a transport may use a progress thread
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = 1;
  try {
    status = run(argc, argv);
  } catch (const std::invalid_argument& error) {  // all ranks find the same error before communication starts
    if (rank == 0) std::fprintf(stderr, "stretto-run: %s\n", error.what());
    status = 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto-run: rank %d: %s\n", rank, error.what());
    mpi::abort_all(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
