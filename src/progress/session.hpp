// SPDX-License-Identifier: BSD-3-Clause
// The life of the progress thread in an unmodified program: from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "progress/agreement.hpp"
#include "progress/poller.hpp"

namespace stretto::progress {

/// A receive that nothing is sent to. Testing it makes MPI progress everything else, whatever the library:
/// MPI_Iprobe need not (MPICH's on a communicator of one rank does nothing for the others). The communicator
/// is of this rank alone, so that making it is no collective operation.
class PendingReceive {
 public:
  PendingReceive();
  PendingReceive(const PendingReceive&) = delete;
  PendingReceive& operator=(const PendingReceive&) = delete;
  ~PendingReceive();

  void test();

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

class Session {
 public:
  static Session& instance();

  /// MPI has been initialised; `provided` is the level that it gave. Starts the thread where MPI may be
  /// called by several threads and no ranks share cores, else reports once why not. `requested` is the level
  /// that the program requested. Collective over MPI_COMM_WORLD.
  void begin(int requested, int provided);

  /// MPI is about to end: the thread ends, and the statistics are written. Collective over MPI_COMM_WORLD.
  void end();

  /// The level that the program gets: the requested one, if MPI provides at least that.
  [[nodiscard]] int level_for_program(int provided) const;

 private:
  std::optional<WorldAgreement> agreement_;
  std::optional<PendingReceive> pending_;
  std::unique_ptr<Poller> poller_;
  int requested_ = MPI_THREAD_SINGLE;
  std::string statistics_;  // where they go; empty: nowhere
};

}  // namespace stretto::progress
