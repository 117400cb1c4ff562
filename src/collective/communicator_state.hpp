// SPDX-License-Identifier: BSD-3-Clause
// State on an application's communicator, cached as an attribute: made at first use, freed with the
// communicator. It holds the groups of grids as communicators.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <stretto/collective_form.hpp>
#include <utility>

#include "collective/decision.hpp"

namespace stretto::collective {

/// A communicator owned by stretto. Ranks are in the order of the communicator that it is split from;
/// attributes are not copied. Its error handler returns errors. Construction and destruction are collective.
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

/// This rank's row group and column group of a grid.
struct GridGroups {
  OwnCommunicator row;     ///< rank within it: the column
  OwnCommunicator column;  ///< rank within it: the row
};

/// The cached state of one communicator. It needs no lock: MPI allows no two concurrent collectives on one
/// communicator.
class CommunicatorState {
 public:
  explicit CommunicatorState(MPI_Comm communicator);

  /// The state of `communicator`; makes it at first use. Local.
  static CommunicatorState& of(MPI_Comm communicator);

  /// Frees the state of MPI_COMM_WORLD. Collective, before MPI_Finalize or as its first part.
  static void free_world();
  /// The caller promises to call free_world() before MPI_Finalize. Without that, an attribute of
  /// MPI_COMM_SELF does it, which an application sees: MPICH hangs where a file is opened on MPI_COMM_SELF
  /// while its attributes are deleted and another one is left.
  static void caller_frees_world();

  [[nodiscard]] MPI_Comm communicator() const { return communicator_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool is_inter() const { return inter_; }

  /// The groups of a grid. Collective at the first use of the grid. Throws std::invalid_argument unless
  /// `grid` matches the number of ranks.
  [[nodiscard]] const GridGroups& groups(const Grid& grid);

  /// A communicator of all ranks for stretto's own messages. Collective at first use.
  [[nodiscard]] MPI_Comm internal_communicator();

  /// The decisions for this communicator's size, by operation and decided size. Decisions of another
  /// generation of runtime functions and forced forms are dropped.
  [[nodiscard]] std::map<std::pair<Operation, std::uint64_t>, Decision>& decisions(int generation);

 private:
  MPI_Comm communicator_;
  int rank_ = 0;
  int size_ = 0;
  bool inter_ = false;
  std::unique_ptr<OwnCommunicator> internal_;
  std::map<Grid, std::unique_ptr<GridGroups>> groups_;
  std::map<std::pair<Operation, std::uint64_t>, Decision> decisions_;
  int generation_ = 0;
};

/// The number of communicators that stretto owns on this rank. A test uses it to detect leaks.
[[nodiscard]] std::size_t own_communicators_alive();

}  // namespace stretto::collective
