// SPDX-License-Identifier: BSD-3-Clause
// The runtime itself, its options and counters.
#include <stretto/runtime.hpp>

#include "bindings/communicators.hpp"
#include "bindings/objects.hpp"
#include "bindings/options.hpp"
#include "mpi/check.hpp"
#include "onesided/api/agreed_options.hpp"
#include "onesided/api/agreement.hpp"

using namespace stretto::bindings;

namespace {

stretto_counters in_c(const stretto::Counters& counters) {
  const auto path = [&](stretto::Path which) {
    const stretto::PathCounters& one = counters[which];
    return stretto_path_counters{.operations = one.operations,
                                 .bytes = one.bytes,
                                 .messages = one.messages,
                                 .copied_bytes = one.copied_bytes};
  };
  return {.direct = path(stretto::Path::direct),
          .rma = path(stretto::Path::rma),
          .message = path(stretto::Path::message),
          .fences = counters.fences};
}

/// Where a rank refuses its arguments, all ranks do.
stretto::Options agreed_options(MPI_Comm communicator, const stretto_options* options,
                                stretto_runtime** runtime) {
  stretto::onesided::check_communicator(communicator);
  stretto::Options requested;
  stretto::onesided::agree(communicator, [&] {
    (void)given(runtime, "runtime");
    requested = options_from(options);
  });
  return requested;
}

}  // namespace

extern "C" {

int stretto_mpi_start(int* world) {
  return guarded([&] {
    int& result = given(world, "world");
    int initialised = 0;
    int finalized = 0;
    int provided = 0;
    stretto::mpi::check(MPI_Finalized(&finalized), "MPI_Finalized");
    if (finalized != 0) throw stretto::FinalizedError("MPI was finalized, and cannot begin again");
    stretto::mpi::check(MPI_Initialized(&initialised), "MPI_Initialized");
    if (initialised == 0) {
      stretto::mpi::check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided),
                          "MPI_Init_thread");
    }
    result = fortran_handle(MPI_COMM_WORLD);
  });
}

int stretto_mpi_end(void) {
  return guarded([&] {
    int finalized = 0;
    stretto::mpi::check(MPI_Finalized(&finalized), "MPI_Finalized");
    if (finalized == 0) stretto::mpi::check(MPI_Finalize(), "MPI_Finalize");
  });
}

int stretto_runtime_create(MPI_Comm communicator, const stretto_options* options, stretto_runtime** runtime) {
  return guarded([&] {
    const stretto::Options requested = agreed_options(communicator, options, runtime);
    *runtime = new stretto_runtime{stretto::Runtime(communicator, requested)};
  });
}

int stretto_runtime_create_fortran(int communicator, const stretto_options* options,
                                   stretto_runtime** runtime) {
  return stretto_runtime_create(communicator_from(communicator), options, runtime);
}

int stretto_runtime_free(stretto_runtime** runtime) {
  return freed(runtime, "runtime", [](stretto_runtime& object) { object.runtime.finalize(); });
}

int stretto_rank(const stretto_runtime* runtime) { return runtime == nullptr ? -1 : runtime->runtime.rank(); }

int stretto_size(const stretto_runtime* runtime) { return runtime == nullptr ? -1 : runtime->runtime.size(); }

int stretto_options_effective(const stretto_runtime* runtime, stretto_options* options) {
  return guarded([&] {
    const stretto::Runtime& own = runtime_of(runtime);
    stretto_options& result = given(options, "options");
    result = options_to_c(own.options());
    result.progress = static_cast<int>(own.progress());
  });
}

int stretto_communicator(const stretto_runtime* runtime, MPI_Comm* communicator) {
  return give(communicator, "communicator", [&] { return runtime_of(runtime).communicator(); });
}

int stretto_communicator_fortran(const stretto_runtime* runtime, int* communicator) {
  return give(communicator, "communicator",
              [&] { return fortran_handle(runtime_of(runtime).communicator()); });
}

int stretto_counters_of(const stretto_runtime* runtime, int target, stretto_counters* counters) {
  return give(counters, "counters", [&] { return in_c(runtime_of(runtime).counters(target)); });
}

int stretto_counters_all(const stretto_runtime* runtime, stretto_counters* counters) {
  return give(counters, "counters", [&] { return in_c(runtime_of(runtime).counters()); });
}

int stretto_counters_reset(stretto_runtime* runtime) {
  return guarded([&] { runtime_of(runtime).reset_counters(); });
}
}
