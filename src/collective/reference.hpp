// SPDX-License-Identifier: BSD-3-Clause
// The flat algorithms that LAM MPI 6.3 had, with MPI's own signatures: linear up to four ranks and binomial
// trees above for broadcast and reduce, linear gather and scatter, allreduce = reduce + broadcast, allgather
// = gather + broadcast (Kühnemann, Rauber, Rünger, section 3 and table 1). Not the fastest: those that the
// paper models. Made for communicators of our own: their messages carry tags that no application's may meet.
#pragma once

#include <mpi.h>

namespace stretto::collective {

int reference_broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator);

int reference_gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator);

int reference_scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator);

/// In rank order when `op` does not commute: linear at any number of ranks up to four, else a binomial tree
/// on rank 0, and its result goes to the root.
int reference_reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                     MPI_Comm communicator);

int reference_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                        MPI_Comm communicator);

int reference_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        int receive_count, MPI_Datatype receive_type, MPI_Comm communicator);

}  // namespace stretto::collective
