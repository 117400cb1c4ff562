// SPDX-License-Identifier: BSD-3-Clause
// The groups of a grid as communicators, and what is kept on a communicator of the application as an
// attribute of it: made at first use, freed with it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <stretto/collective_form.hpp>
#include <utility>

#include "collective/choice.hpp"

namespace stretto::collective {

/// A communicator of our own, with ranks in the order of the one it is split from and none of its attributes.
/// Errors return. Collective to make and to free.
class Group {
 public:
  Group(MPI_Comm from, int colour, int key);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group();

  [[nodiscard]] MPI_Comm get() const { return handle_; }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

/// A grid's row group and column group of this rank.
struct Groups {
  Group row;     ///< rank within it: the column
  Group column;  ///< rank within it: the row
};

/// What is known of one communicator. One thread at a time: MPI allows no two collectives of one communicator
/// at once.
class Kept {
 public:
  explicit Kept(MPI_Comm communicator);

  /// That of `communicator`, made when there is none yet. Local.
  static Kept& of(MPI_Comm communicator);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_inter() const { return inter_; }

  /// Collective at the first use of a grid. Throws std::invalid_argument unless `grid` holds the ranks.
  [[nodiscard]] const Groups& groups(const Grid& grid);

  /// All ranks, for messages of our own. Collective at first use.
  [[nodiscard]] MPI_Comm whole();

  /// Decisions that were made for this communicator's size, by operation and class of size: those that rest
  /// on this generation of what decides; older ones are forgotten.
  [[nodiscard]] std::map<std::pair<Operation, int>, Decision>& decisions(int generation);

 private:
  MPI_Comm communicator_;
  int rank_ = 0;
  int size_ = 0;
  bool inter_ = false;
  std::unique_ptr<Group> whole_;
  std::map<Grid, std::unique_ptr<Groups>> groups_;
  std::map<std::pair<Operation, int>, Decision> decisions_;
  int generation_ = 0;
};

/// How many groups of ours there are now, on this rank: a test sees with it that none is left behind.
[[nodiscard]] std::size_t groups_alive();

}  // namespace stretto::collective
