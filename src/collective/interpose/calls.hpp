// SPDX-License-Identifier: BSD-3-Clause
// The handling of an application's call: it is passed on, or executed in the form that was decided.
// Everything that decides is equal on all ranks by MPI's own rules: the kind of the communicator, its size,
// and the bytes of a block. Counts and types may differ between ranks, and an argument that MPI ignores may
// have any value.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <limits>

#include "collective/interpose/session.hpp"
#include "collective/memory.hpp"
#include "mpi/check.hpp"

namespace stretto::interpose {

/// Calls of more bytes in a block, or in all blocks where counts differ, are passed on: int counts all below.
inline constexpr std::uint64_t max_bytes = std::numeric_limits<int>::max();

/// Whether this thread executes a call in another form: calls that the MPI library makes inside are passed
/// on.
inline thread_local bool in_other_form = false;

class OtherForm {
 public:
  OtherForm() { in_other_form = true; }
  OtherForm(const OtherForm&) = delete;
  OtherForm& operator=(const OtherForm&) = delete;
  ~OtherForm() { in_other_form = false; }
};

/// The state of the communicator of a call that may be executed in another form; null where the call is
/// passed on. Other arguments are looked at only after this: which of them are significant depends on the
/// communicator.
[[nodiscard]] collective::CommunicatorState* intercepted(MPI_Comm communicator);

/// The bytes of `count` elements, from significant arguments; 0 for invalid ones, which MPI reports.
[[nodiscard]] inline std::uint64_t bytes_of(MPI_Count count, MPI_Datatype type) {
  if (count < 1 || type == MPI_DATATYPE_NULL) return 0;
  try {
    return collective::size_of(count, type);
  } catch (const mpi::MpiError&) {
    return 0;
  }
}

/// The bytes of a call: those that decide, and those that have to be countable. Zero where it is passed on.
struct CallSize {
  std::uint64_t deciding = 0;
  std::uint64_t countable = 0;

  [[nodiscard]] bool is_small() const { return deciding > 0 && countable <= max_bytes; }
};

/// Calls `execute()`; errors go to the communicator's error handler, like MPI's own errors. Returns the code.
template <typename Execute>
int executed(MPI_Comm communicator, Execute&& execute) {
  int code = MPI_SUCCESS;
  try {
    const OtherForm guard;
    execute();
    return code;
  } catch (const mpi::MpiError& error) {
    code = error.code();
  } catch (const std::bad_alloc&) {
    code = MPI_ERR_NO_MEM;
  }
  PMPI_Comm_call_errhandler(communicator, code);
  return code;
}

/// The forms in which an operation runs on the library's own algorithms.
enum class Grids { all, regular, none };

/// Calls `carry_out(form)` where another form is decided and its grid is one of `grids`, else `pass_on()`.
/// Returns MPI's error code.
///
/// A call that is passed on may not return: the application's error handler may throw or leave by longjmp.
/// The phases run on communicators of stretto, without that handler.
template <typename CarryOut, typename PassOn>
int decide(collective::Operation operation, collective::CommunicatorState& state, const CallSize& size,
           Grids grids, CarryOut&& carry_out, PassOn&& pass_on) {
  if (!size.is_small()) return pass_on();
  const collective::Chooser& chooser = collective::Chooser::instance();
  const collective::Decision& decision = chooser.decision(state, operation, size.deciding);
  const collective::Form form = chooser.form_of(decision);
  const auto begin = std::chrono::steady_clock::now();
  const bool runs_on_grid = !form.grid.is_flat() && grids != Grids::none &&
                            (grids == Grids::all || form.grid.is_regular(state.size()));
  const bool is_passed_on = !runs_on_grid && form.algorithm == collective::Algorithm::library;
  const int code = is_passed_on ? pass_on() : executed(state.communicator(), [&] { carry_out(form); });
  if (Statistics* statistics = CollectivesSession::instance().statistics()) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    statistics->add(operation, state.size(), size.deciding, decision, taken.count());
  }
  return code;
}

}  // namespace stretto::interpose
