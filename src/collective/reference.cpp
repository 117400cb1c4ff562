// SPDX-License-Identifier: BSD-3-Clause
#include "collective/reference.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include "collective/memory.hpp"
#include "mpi/check.hpp"

namespace stretto::collective {
namespace {

using mpi::check;

constexpr int tag = 0;
constexpr int max_linear = 4;  // LAM uses linear algorithms up to four ranks

struct Place {
  int rank = 0;
  int size = 0;
};

Place place_in(MPI_Comm communicator) {
  Place place;
  check(PMPI_Comm_rank(communicator, &place.rank), "MPI_Comm_rank");
  check(PMPI_Comm_size(communicator, &place.size), "MPI_Comm_size");
  return place;
}

void send_to(const void* data, int count, MPI_Datatype type, int peer, MPI_Comm communicator) {
  check(PMPI_Send(data, count, type, peer, tag, communicator), "MPI_Send");
}

void receive_from(void* data, int count, MPI_Datatype type, int peer, MPI_Comm communicator) {
  check(PMPI_Recv(data, count, type, peer, tag, communicator, MPI_STATUS_IGNORE), "MPI_Recv");
}

/// `into` becomes `from` op `into`. SMPI combines in no time: on a simulated machine the rank computes for as
/// long as the launcher states.
void combine(const void* from, void* into, int count, MPI_Datatype type, MPI_Op op) {
  check(PMPI_Reduce_local(from, into, count, type, op), "MPI_Reduce_local");
#ifdef STRETTO_SIMGRID
  const char* const text = std::getenv("STRETTO_SIMULATED_REDUCE_FLOPS_PER_BYTE");
  const double flops_per_byte = text == nullptr ? 0 : std::strtod(text, nullptr);
  if (flops_per_byte > 0) smpi_execute_flops(flops_per_byte * static_cast<double>(size_of(count, type)));
#endif
}

void linear_broadcast(void* buffer, int count, MPI_Datatype type, int root, const Place& place,
                      MPI_Comm communicator) {
  if (place.rank != root) {
    receive_from(buffer, count, type, root, communicator);
    return;
  }
  std::vector<MPI_Request> requests;
  for (int peer = 0; peer < place.size; ++peer) {
    if (peer == root) continue;
    check(PMPI_Isend(buffer, count, type, peer, tag, communicator, &requests.emplace_back()), "MPI_Isend");
  }
  check(PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

/// In stage k the first 2^k ranks, counted from the root, send to the next 2^k. Each rank sends one message
/// at a time.
void binomial_broadcast(void* buffer, int count, MPI_Datatype type, int root, const Place& place,
                        MPI_Comm communicator) {
  const int own = (place.rank - root + place.size) % place.size;
  int stage = 1;
  // The first stage in which this rank sends; it received in the previous one.
  while (stage <= own) stage *= 2;
  if (own > 0) receive_from(buffer, count, type, (own - stage / 2 + root) % place.size, communicator);
  for (; own + stage < place.size; stage *= 2) {
    send_to(buffer, count, type, (own + stage + root) % place.size, communicator);
  }
}

/// Combines from the last rank to the first, the order that MPI requires.
void linear_reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                   const Place& place, MPI_Comm communicator) {
  if (place.rank != root) {
    send_to(own, count, type, root, communicator);
    return;
  }
  const Elements arriving(count, type);
  const Elements sum(count, type);
  for (int peer = place.size - 1; peer >= 0; --peer) {
    const void* next = own;
    if (peer != root) {
      void* target = peer == place.size - 1 ? sum.get() : arriving.get();
      receive_from(target, count, type, peer, communicator);
      next = target;
    } else if (peer == place.size - 1) {
      copy(own, count, type, sum.get(), count, type, communicator);
    }
    if (peer < place.size - 1) combine(next, sum.get(), count, type, op);
  }
  copy(sum.get(), count, type, result, count, type, communicator);
}

void binomial_reduce(const void* own_data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                     const Place& place, MPI_Comm communicator) {
  int commutes = 0;
  check(PMPI_Op_commutative(op, &commutes), "MPI_Op_commutative");
  const int top = commutes != 0 ? root : 0;
  const int own = (place.rank - top + place.size) % place.size;
  Elements sum(count, type);
  Elements arriving(count, type);
  copy(own_data, count, type, sum.get(), count, type, communicator);
  for (int stage = 1; stage < place.size; stage *= 2) {
    if ((own & stage) != 0) {
      send_to(sum.get(), count, type, (own - stage + top) % place.size, communicator);
      break;
    }
    if (own + stage >= place.size) continue;
    receive_from(arriving.get(), count, type, (own + stage + top) % place.size, communicator);
    // Lower ranks are the left operand; the result overwrites the right operand.
    combine(sum.get(), arriving.get(), count, type, op);
    std::swap(sum, arriving);
  }
  if (top != root && place.rank == top) send_to(sum.get(), count, type, root, communicator);
  if (place.rank != root) return;
  if (top != root) {
    receive_from(result, count, type, top, communicator);
  } else {
    copy(sum.get(), count, type, result, count, type, communicator);
  }
}

}  // namespace

int reference_broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
  const Place place = place_in(communicator);
  if (place.size == 1) return MPI_SUCCESS;
  const auto algorithm = place.size <= max_linear ? linear_broadcast : binomial_broadcast;
  algorithm(buffer, count, type, root, place, communicator);
  return MPI_SUCCESS;
}

int reference_gather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                     int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator) {
  const Place place = place_in(communicator);
  if (place.rank != root) {
    send_to(send, send_count, send_type, root, communicator);
    return MPI_SUCCESS;
  }
  const MPI_Aint block = receive_count * extent_of(receive_type);
  for (int peer = 0; peer < place.size; ++peer) {
    void* to = offset_by(receive, peer * block);
    if (peer != root) {
      receive_from(to, receive_count, receive_type, peer, communicator);
    } else if (send != MPI_IN_PLACE) {
      copy(send, send_count, send_type, to, receive_count, receive_type, communicator);
    }
  }
  return MPI_SUCCESS;
}

int reference_scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, int root, MPI_Comm communicator) {
  const Place place = place_in(communicator);
  if (place.rank != root) {
    receive_from(receive, receive_count, receive_type, root, communicator);
    return MPI_SUCCESS;
  }
  const MPI_Aint block = send_count * extent_of(send_type);
  for (int peer = 0; peer < place.size; ++peer) {
    const void* from = offset_by(send, peer * block);
    if (peer != root) {
      send_to(from, send_count, send_type, peer, communicator);
    } else if (receive != MPI_IN_PLACE) {
      copy(from, send_count, send_type, receive, receive_count, receive_type, communicator);
    }
  }
  return MPI_SUCCESS;
}

int reference_reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root,
                     MPI_Comm communicator) {
  const Place place = place_in(communicator);
  const void* own = send == MPI_IN_PLACE ? receive : send;
  const auto algorithm = place.size <= max_linear ? linear_reduce : binomial_reduce;
  algorithm(own, receive, count, type, op, root, place, communicator);
  return MPI_SUCCESS;
}

int reference_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                        MPI_Comm communicator) {
  const void* own = send == MPI_IN_PLACE ? receive : send;
  reference_reduce(own, receive, count, type, op, 0, communicator);
  return reference_broadcast(receive, count, type, 0, communicator);
}

int reference_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        int receive_count, MPI_Datatype receive_type, MPI_Comm communicator) {
  const Place place = place_in(communicator);
  const void* own = send;
  if (send == MPI_IN_PLACE && place.rank != 0) {
    own = offset_by(receive, MPI_Aint{place.rank} * receive_count * extent_of(receive_type));
    send_count = receive_count;
    send_type = receive_type;
  }
  reference_gather(own, send_count, send_type, receive, receive_count, receive_type, 0, communicator);
  const Type block = Type::block(receive_count, receive_type);
  return reference_broadcast(receive, place.size, block.get(), 0, communicator);
}

}  // namespace stretto::collective
