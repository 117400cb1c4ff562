// SPDX-License-Identifier: BSD-3-Clause
// The handling of an application's call: it is passed on, or executed in the form that was decided.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>

#include "collective/interpose/session.hpp"
#include "collective/memory.hpp"
#include "mpi/check.hpp"

namespace stretto::interpose {

/// Whether this thread executes an intercepted call: calls that the MPI library makes inside are passed on.
inline thread_local bool in_intercepted_call = false;

class InterceptedCall {
 public:
  InterceptedCall() { in_intercepted_call = true; }
  InterceptedCall(const InterceptedCall&) = delete;
  InterceptedCall& operator=(const InterceptedCall&) = delete;
  ~InterceptedCall() { in_intercepted_call = false; }
};

/// Whether calls are intercepted now.
[[nodiscard]] inline bool intercepts() { return Session::instance().active() && !in_intercepted_call; }

/// The size b of a call in bytes; 0 for invalid arguments, which MPI reports.
[[nodiscard]] inline std::uint64_t bytes_of(int count, MPI_Datatype type) {
  if (count < 1 || type == MPI_DATATYPE_NULL) return 0;
  return collective::size_of(count, type);
}

/// Calls `carry_out(form)` where a decision exists, else `pass_on()`. Returns MPI's error code. Errors inside
/// go to the communicator's error handler, like MPI's own errors.
template <typename CarryOut, typename PassOn>
int decide(collective::Operation operation, MPI_Comm communicator, std::uint64_t size_bytes,
           CarryOut&& carry_out, PassOn&& pass_on) {
  Session& session = Session::instance();
  const InterceptedCall guard;
  try {
    const collective::Decision* decision = Session::decision(operation, communicator, size_bytes);
    if (decision == nullptr) return pass_on();
    const auto begin = std::chrono::steady_clock::now();
    const collective::Form form = Session::form_of(*decision);
    int code = MPI_SUCCESS;
    if (form.grid.is_flat() && form.algorithm == collective::Algorithm::library) {
      code = pass_on();
    } else {
      carry_out(form);
    }
    if (Statistics* statistics = session.statistics()) {
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
      const int ranks = collective::CommunicatorState::of(communicator).size();
      statistics->add(operation, ranks, size_bytes, *decision, taken.count());
    }
    return code;
  } catch (const mpi::MpiError& error) {
    PMPI_Comm_call_errhandler(communicator, error.code());
    return error.code();
  } catch (const std::bad_alloc&) {
    PMPI_Comm_call_errhandler(communicator, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
}

}  // namespace stretto::interpose
