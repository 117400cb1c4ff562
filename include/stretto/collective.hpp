// SPDX-License-Identifier: BSD-3-Clause
// Collective operations in one piece or in two phases on a p1 x p2 grid of the communicator's ranks
// (Kühnemann, Rauber, Rünger). Each function is blocking and collective over the communicator. Its arguments
// are those of the MPI function, including MPI_IN_PLACE, and the form, which must be the same on all ranks.
// The overloads of stretto/collective_choice.hpp have no form: they choose one by the profile.
//
// The groups of a grid are created at its first use on a communicator, cached as its attribute, and freed
// with it. Intercommunicators, counts of zero, and operations that a grid does not support
// (docs/collectives.md has the table) use the flat form.
//
// Errors: std::invalid_argument for a grid with another number of ranks than the communicator;
// std::runtime_error for errors of MPI. docs/collectives.md documents the order of reductions.
#pragma once

#include <mpi.h>

#include <stretto/collective_form.hpp>

namespace stretto::collective {

void broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator, const Form& form);

void gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
            MPI_Datatype receive_type, int root, MPI_Comm communicator, const Form& form);

void scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
             MPI_Datatype receive_type, int root, MPI_Comm communicator, const Form& form);

void reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm communicator, const Form& form);

void allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm communicator, const Form& form);

void allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
               MPI_Datatype receive_type, MPI_Comm communicator, const Form& form);

void allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                const int* receive_counts, const int* displacements, MPI_Datatype receive_type,
                MPI_Comm communicator, const Form& form);

/// MPI_Reduce_scatter_block: every rank receives `receive_count` elements.
void reduce_scatter(const void* send, void* receive, int receive_count, MPI_Datatype type, MPI_Op op,
                    MPI_Comm communicator, const Form& form);

/// MPI_Reduce_scatter, with a count for each rank.
void reduce_scatterv(const void* send, void* receive, const int* receive_counts, MPI_Datatype type, MPI_Op op,
                     MPI_Comm communicator, const Form& form);

void alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
              MPI_Datatype receive_type, MPI_Comm communicator, const Form& form);

}  // namespace stretto::collective
