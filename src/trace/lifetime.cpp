// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Abort of C.
#include "trace/lifetime.hpp"

#include "trace/data_times.hpp"

namespace stretto::trace {

bool initialised_before = false;

void initialised(std::uint16_t number, void* site) {
  initialised_before = true;
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  recorder().start(MPI_COMM_WORLD, level == MPI_THREAD_MULTIPLE);
  Call call(number, site);
  if (call.ended(MPI_SUCCESS)) plain(call);
}

int Finalizing::ended(int error) {
  if (call_.ended(error)) {
    plain(call_);
    note_last_consumed();
    recorder().stop();
  }
  return error;
}

void aborting(void* site) {
  Call call(call_abort, site);
  if (!call.ended(MPI_SUCCESS)) return;
  plain(call);
  note_last_consumed();
  recorder().break_off();
}

}  // namespace stretto::trace

using namespace stretto::trace;

extern "C" {

STRETTO_TRACED int MPI_Init(int* argc, char*** argv) {
  const int error = NEXT_MPI(Init)(argc, argv);
  if (error == MPI_SUCCESS) initialised(call_init, __builtin_return_address(0));
  return error;
}

STRETTO_TRACED int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int error = NEXT_MPI(Init_thread)(argc, argv, required, provided);
  if (error == MPI_SUCCESS) initialised(call_init_thread, __builtin_return_address(0));
  return error;
}

STRETTO_TRACED int MPI_Finalize() {
  Finalizing finalizing(__builtin_return_address(0));
  return finalizing.ended(NEXT_MPI(Finalize)());
}

STRETTO_TRACED int MPI_Abort(MPI_Comm comm, int code) {
  aborting(__builtin_return_address(0));
  return PMPI_Abort(comm, code);
}

}  // extern "C"
