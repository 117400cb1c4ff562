// SPDX-License-Identifier: BSD-3-Clause
// Initialisation, and every way to end.
#include <armci/armci.h>
#include <armci/message.h>
#include <armci/parmci.h>
#include <mpi.h>

#include <cstdio>

#include "armci/boundary.hpp"
#include "armci/process.hpp"
#include "armci/profiling.hpp"

using namespace stretto::armci;

namespace {

void begin_over(MPI_Comm comm) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised == 0) throw Refused(FAIL, "MPI is not initialised");
  if (comm == MPI_COMM_NULL) throw Refused(FAIL, "comm is MPI_COMM_NULL");
  begin(comm);
}

}  // namespace

// NOLINTBEGIN(readability-non-const-parameter): the signatures are as published
int ARMCI_Init() {
  return status_of("ARMCI_Init", [] { begin(nullptr, nullptr); });
}

int ARMCI_Init_args(int* argc, char*** argv) {
  return status_of("ARMCI_Init_args", [&] { begin(argc, argv); });
}

int ARMCI_Init_thread(int /*armci_requested*/) {
  return status_of("ARMCI_Init_thread", [] { begin(nullptr, nullptr); });
}

int ARMCI_Init_mpi_comm(MPI_Comm comm) {
  return status_of("ARMCI_Init_mpi_comm", [&] { begin_over(comm); });
}

int ARMCI_Init_thread_comm(int /*armci_requested*/, MPI_Comm comm) {
  return status_of("ARMCI_Init_thread_comm", [&] { begin_over(comm); });
}

int ARMCI_Initialized() { return is_initialised() ? 1 : 0; }

void ARMCI_Finalize() {
  or_abort("ARMCI_Finalize", [] { end(); });
}

// Nothing to do: no resource of this process outlives it.
void ARMCI_Cleanup() {}

void ARMCI_Error(char* message, int code) {
  int rank = 0;
  if (is_initialised()) rank = process().runtime.rank();
  std::fprintf(stderr, "%d: %s %d\n", rank, message == nullptr ? "" : message, code);
  std::fflush(stderr);
  abort_all(code);
}

void armci_msg_init(int* argc, char*** argv) {
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (initialised != 0) return;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
}

void armci_msg_finalize() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Finalize();
}

void armci_msg_abort(int code) { abort_all(code); }
// NOLINTEND(readability-non-const-parameter)

STRETTO_PROFILED(ARMCI_Init)
STRETTO_PROFILED(ARMCI_Init_args)
STRETTO_PROFILED(ARMCI_Init_thread)
STRETTO_PROFILED(ARMCI_Init_mpi_comm)
STRETTO_PROFILED(ARMCI_Init_thread_comm)
STRETTO_PROFILED(ARMCI_Initialized)
STRETTO_PROFILED(ARMCI_Finalize)
