// SPDX-License-Identifier: BSD-3-Clause
// The flat algorithms of LAM MPI 6.3, with MPI's signatures (Kühnemann, Rauber, Rünger, section 3 and table
// 1).
// Broadcast and reduce are linear up to four ranks and binomial trees above. Gather and scatter are linear.
// allreduce = reduce + broadcast, allgather = gather + broadcast.
// They are the algorithms that the paper models, not the fastest ones.
// They need communicators that stretto owns, so that their tags cannot match an application's messages.
#pragma once

#include <mpi.h>

namespace stretto::collective {

int reference_broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator);

int reference_gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator);

int reference_scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator);

/// Reduces in rank order when `op` does not commute. Linear up to four ranks; above, a binomial tree rooted
/// at rank 0, which then sends the result to the root.
int reference_reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                     MPI_Comm communicator);

int reference_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                        MPI_Comm communicator);

int reference_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        int receive_count, MPI_Datatype receive_type, MPI_Comm communicator);

}  // namespace stretto::collective
