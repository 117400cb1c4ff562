// SPDX-License-Identifier: BSD-3-Clause
// A duplicate of a communicator, so that no message of the application can match ours. It is freed with its
// owner.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace stretto::mpi {

/// The rank of this process in a communicator.
[[nodiscard]] int rank_in(MPI_Comm communicator);

class Communicator {
 public:
  /// Duplicates `parent` and lets errors return. Collective over it.
  explicit Communicator(MPI_Comm parent);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  [[nodiscard]] MPI_Comm get() const { return handle_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Rank 0's text on all ranks. Collective.
  [[nodiscard]] std::string broadcast(std::string text) const;

  /// Every rank's text at rank 0, in rank order; elsewhere empty. Collective.
  [[nodiscard]] std::vector<std::string> gather(const std::string& text) const;

  /// At rank 0, for every rank the lowest rank that it can share memory with; elsewhere empty. Collective.
  /// Host names would not do: they may be equal on two nodes.
  [[nodiscard]] std::vector<int> nodes() const;

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace stretto::mpi
