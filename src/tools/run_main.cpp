// SPDX-License-Identifier: BSD-3-Clause
// stretto-run: one kernel over MPI, real or simulated. Rank 0 prints one JSON document. Exit status as
// everywhere: 0 done, 1 failed, 2 wrong input, 3 the solution is wrong.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "kernel/kernels.hpp"
#include "mpi/abort.hpp"
#include "tools/command_line.hpp"
#include "tools/run_document.hpp"

namespace {

using namespace stretto;

struct Asked {
  std::string kernel;
  kernel::Request request;
  std::string help;  ///< not empty: print this and end
};

Asked asked_of(int argc, char** argv) {
  Asked asked;
  std::vector<std::string> settings;
  tools::CommandLine line("A kernel of stretto: solves, times, verifies");
  line.add("KERNEL", &asked.kernel, "which", {.required = true});
  line.add("--class", &asked.request.class_name, "S, W, A, B, C, D");
  line.add("--variant", &asked.request.variant, "one of the kernel's");
  line.add("--transport", &asked.request.transport, "one of the kernel's");
  line.add("--set", &settings, "NAME=VALUE, an option of the kernel's own");
  asked.help = line.parse(argc, argv);
  if (!asked.help.empty()) return asked;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("--set " + setting + ": write NAME=VALUE");
    asked.request.options[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return asked;
}

int run(int argc, char** argv) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Asked asked = asked_of(argc, argv);
  if (!asked.help.empty()) {
    if (rank == 0) std::fputs(asked.help.c_str(), stdout);
    return 0;
  }
  const kernel::Kernel& kernel = kernel::find_kernel(asked.kernel);
  const kernel::Request request = kernel::checked(kernel, asked.request);
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
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);  // a transport may use a helper thread
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = 1;
  try {
    status = run(argc, argv);
  } catch (const std::invalid_argument& error) {  // found by all ranks alike, before anything has begun
    if (rank == 0) std::fprintf(stderr, "stretto-run: %s\n", error.what());
    status = 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto-run: rank %d: %s\n", rank, error.what());
    mpi::abort_all(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
