// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking collective operations, in one piece or in two phases (stretto/collective.hpp). A started
// operation makes progress inside test() and wait() of any of them. The phases use the MPI library's
// nonblocking operations; on a ragged grid some messages are waited for inside a test. Buffers must not be
// used, and counts, types and communicators must stay, until the operation is complete.
//
// Ranks start operations on a communicator in the same order, as MPI requires it of its own. All calls of a
// process come from one thread.
#pragma once

#include <mpi.h>

#include <memory>
#include <stretto/collective_form.hpp>

namespace stretto::collective {

namespace detail {
class StartedOperation;
}

/// A started operation. The destructor waits for it.
class PendingCollective {
 public:
  explicit PendingCollective(std::shared_ptr<detail::StartedOperation> operation);
  PendingCollective(PendingCollective&& other) noexcept = default;
  PendingCollective& operator=(PendingCollective&& other) noexcept;
  PendingCollective(const PendingCollective&) = delete;
  PendingCollective& operator=(const PendingCollective&) = delete;
  ~PendingCollective();

  /// Whether the operation is complete on this rank. Throws mpi::MpiError for errors of MPI.
  [[nodiscard]] bool test();
  /// Waits until it is complete.
  void wait();

 private:
  std::shared_ptr<detail::StartedOperation> operation_;
};

// Arguments as in stretto/collective.hpp. The form's algorithm must be the library's: std::invalid_argument.
[[nodiscard]] PendingCollective start_broadcast(void* buffer, int count, MPI_Datatype type, int root,
                                                MPI_Comm communicator, const Form& form);
[[nodiscard]] PendingCollective start_gather(const void* send, int send_count, MPI_Datatype send_type,
                                             void* receive, int receive_count, MPI_Datatype receive_type,
                                             int root, MPI_Comm communicator, const Form& form);
[[nodiscard]] PendingCollective start_scatter(const void* send, int send_count, MPI_Datatype send_type,
                                              void* receive, int receive_count, MPI_Datatype receive_type,
                                              int root, MPI_Comm communicator, const Form& form);
[[nodiscard]] PendingCollective start_reduce(const void* send, void* receive, int count, MPI_Datatype type,
                                             MPI_Op op, int root, MPI_Comm communicator, const Form& form);
[[nodiscard]] PendingCollective start_allreduce(const void* send, void* receive, int count, MPI_Datatype type,
                                                MPI_Op op, MPI_Comm communicator, const Form& form);
[[nodiscard]] PendingCollective start_allgather(const void* send, int send_count, MPI_Datatype send_type,
                                                void* receive, int receive_count, MPI_Datatype receive_type,
                                                MPI_Comm communicator, const Form& form);
[[nodiscard]] PendingCollective start_allgatherv(const void* send, int send_count, MPI_Datatype send_type,
                                                 void* receive, const int* receive_counts,
                                                 const int* displacements, MPI_Datatype receive_type,
                                                 MPI_Comm communicator, const Form& form);

}  // namespace stretto::collective
