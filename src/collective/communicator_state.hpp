// SPDX-License-Identifier: BSD-3-Clause
// The groups of a grid as communicators, and what is state on a communicator of the application as an
// attribute of it: made at first use, freed with it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <stretto/collective_form.hpp>
#include <utility>

#include "collective/decision.hpp"

namespace stretto::collective {

/// A communicator of our own, with ranks in the order of the one it is split from and none of its attributes.
/// Errors return. Collective to make and to free.
class OwnCommunicator {
 public:
  OwnCommunicator(MPI_Comm from, int colour, int key);
  OwnCommunicator(const OwnCommunicator&) = delete;
  OwnCommunicator& operator=(const OwnCommunicator&) = delete;
  ~OwnCommunicator();

  [[nodiscard]] MPI_Comm get() const { return handle_; }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

/// The row group and the column group of a grid that this rank is in.
struct GridGroups {
  OwnCommunicator row;     ///< rank within it: the column
  OwnCommunicator column;  ///< rank within it: the row
};

/// The cached state of one communicator. One thread at a time: MPI allows no two concurrent collectives of a
/// communicator.
class CommunicatorState {
 public:
  explicit CommunicatorState(MPI_Comm communicator);

  /// The state of `communicator`, made when there is none yet. Local.
  static CommunicatorState& of(MPI_Comm communicator);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_inter() const { return inter_; }

  /// Collective at the first use of a grid. Throws std::invalid_argument unless `grid` holds the ranks.
  [[nodiscard]] const GridGroups& groups(const Grid& grid);

  /// All ranks, for messages of our own. Collective at first use.
  [[nodiscard]] MPI_Comm whole();

  /// The decisions for this communicator's size, by operation and class of sizes. Those of another generation
  /// of runtime functions and forced forms are dropped.
  [[nodiscard]] std::map<std::pair<Operation, int>, Decision>& decisions(int generation);

 private:
  MPI_Comm communicator_;
  int rank_ = 0;
  int size_ = 0;
  bool inter_ = false;
  std::unique_ptr<OwnCommunicator> whole_;
  std::map<Grid, std::unique_ptr<GridGroups>> groups_;
  std::map<std::pair<Operation, int>, Decision> decisions_;
  int generation_ = 0;
};

/// How many communicators of our own exist now, on this rank. A test checks with it that none leaks.
[[nodiscard]] std::size_t own_communicators_alive();

}  // namespace stretto::collective
