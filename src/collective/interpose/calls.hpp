// SPDX-License-Identifier: BSD-3-Clause
// A call of the application, on its way: passed on, or carried out in the form that was decided.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>

#include "collective/interpose/session.hpp"
#include "collective/memory.hpp"
#include "mpi/check.hpp"

namespace stretto::interpose {

/// Whether this thread is inside a call that we carry out: what the MPI library calls of itself is not ours.
inline thread_local bool inside = false;

class Inside {
 public:
  Inside() { inside = true; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { inside = false; }
};

/// Whether calls are looked at now.
[[nodiscard]] inline bool looks() { return Session::instance().active() && !inside; }

/// b of a call; 0 for what MPI itself is to complain of.
[[nodiscard]] inline std::uint64_t bytes_of(int count, MPI_Datatype type) {
  if (count < 1 || type == MPI_DATATYPE_NULL) return 0;
  return collective::size_of(count, type);
}

/// `carry_out(form)` where a decision was made; `pass_on()` elsewhere. Returns MPI's code; what goes wrong
/// inside goes to the communicator's error handler, as MPI's own errors do.
template <typename CarryOut, typename PassOn>
int decide(collective::Operation operation, MPI_Comm communicator, std::uint64_t size_bytes,
           CarryOut&& carry_out, PassOn&& pass_on) {
  Session& session = Session::instance();
  const Inside guard;
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
