// SPDX-License-Identifier: BSD-3-Clause
// The life of the progress thread in an unmodified program: from MPI_Init to MPI_Finalize.
#pragma once

#include <mpi.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "progress/agreement.hpp"
#include "progress/poller.hpp"

namespace stretto::progress {

/// A receive that no message matches. To test it makes progress on all communication of the rank in every MPI
/// library. MPI_Iprobe need not: in MPICH, on a communicator of one rank, it makes no progress for others.
/// The communicator has this rank alone, so that its creation is not collective over MPI_COMM_WORLD.
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

/// The state of the progress thread of this process.
class ProgressSession {
 public:
  /// The only session. It is never destroyed.
  static ProgressSession& instance();

  /// The level to initialise MPI with, of a program that requests `requested`: MPI_THREAD_MULTIPLE, or that
  /// of the program where it is known before that no thread will start, as that level makes each message
  /// dearer.
  [[nodiscard]] int level_to_request(int requested);

  /// To be called after MPI is initialised with that level; `provided` is the level that MPI provides. Starts
  /// the thread where several threads may call MPI and there are cores for them. Otherwise, rank 0 reports
  /// why not. Collective over MPI_COMM_WORLD.
  void begin(int provided);

  /// To be called before MPI is finalised. Ends the thread and writes the statistics. Collective over
  /// MPI_COMM_WORLD.
  void end();

  /// Ends the thread for the rest of the run, or lets none begin. Rank 0 says why.
  void end_thread(const char* reason);

  /// The level that the program gets: the requested one, if MPI provides at least that.
  [[nodiscard]] int level_for_program(int provided) const;

 private:
  std::optional<WorldAgreement> agreement_;
  std::optional<PendingReceive> pending_;
  std::unique_ptr<Poller> poller_;
  std::mutex ending_;
  std::optional<PollCounts> counts_;  // once the thread has ended
  const char* why_none_ = nullptr;    // why there must be no thread
  int requested_ = MPI_THREAD_SINGLE;
  bool may_start_ = false;  // as far as this rank knows before MPI is initialised
  std::string statistics_;  // the file for the statistics; empty: none
};

}  // namespace stretto::progress
