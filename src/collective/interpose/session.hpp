// SPDX-License-Identifier: BSD-3-Clause
// The preloaded library between MPI_Init and MPI_Finalize: reads its settings once, decides for each call,
// and counts calls. Without a profile or a forced form it only passes calls on.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "collective/chooser.hpp"
#include "collective/interpose/statistics.hpp"

namespace stretto::interpose {

/// STRETTO_PROFILE, STRETTO_GRIDS, STRETTO_ALGORITHM, STRETTO_STATISTICS; empty where not set.
struct Environment {
  std::string profile;
  std::string grids;
  std::string algorithm;
  std::string statistics;

  static Environment read();
};

class CollectivesSession {
 public:
  static CollectivesSession& instance();

  /// Runs after the application's MPI_Init, on all ranks. Refuses an MPI library other than the one that
  /// stretto was built for. Reads the settings at rank 0. An error prints one line to stderr and ends the
  /// program with status 2.
  void begin();

  /// Runs before the application's MPI_Finalize: prints the statistics if they were requested.
  void end();

  /// Whether calls are intercepted at all.
  [[nodiscard]] bool active() const { return active_.load(std::memory_order_relaxed); }

  [[nodiscard]] Statistics* statistics() { return statistics_ ? &*statistics_ : nullptr; }

 private:
  void begin_checked();
  void load(const std::string& path, bool asked_for);

  Environment environment_;
  std::string profile_;  ///< its path; empty: none
  std::atomic<bool> active_ = false;
  std::optional<Statistics> statistics_;
};

}  // namespace stretto::interpose
