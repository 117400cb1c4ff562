// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicator.hpp"

#include "mpi/check.hpp"
#include "mpi/node_groups.hpp"

namespace stretto::mpi {

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  check(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  return rank;
}

Communicator::Communicator(MPI_Comm parent) {
  check(MPI_Comm_dup(parent, &handle_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  rank_ = rank_in(handle_);
  check(MPI_Comm_size(handle_, &size_), "MPI_Comm_size");
}

Communicator::~Communicator() { MPI_Comm_free(&handle_); }

std::string Communicator::broadcast(std::string text) const {
  auto length = static_cast<int>(text.size());
  check(MPI_Bcast(&length, 1, MPI_INT, 0, handle_), "MPI_Bcast");
  text.resize(static_cast<std::size_t>(length));
  check(MPI_Bcast(text.data(), length, MPI_CHAR, 0, handle_), "MPI_Bcast");
  return text;
}

std::vector<std::string> Communicator::gather(const std::string& text) const {
  const auto length = static_cast<int>(text.size());
  const bool root = rank_ == 0;
  std::vector<int> lengths(root ? static_cast<std::size_t>(size_) : 0);
  check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, handle_), "MPI_Gather");
  std::vector<int> places(lengths.size());
  int total = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    places[i] = total;
    total += lengths[i];
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0,
                    handle_),
        "MPI_Gatherv");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    texts.push_back(all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])));
  }
  return texts;
}

std::vector<int> Communicator::nodes() const {
  std::vector<int> all = nodes_of(handle_);
  if (rank_ != 0) all.clear();
  return all;
}

}  // namespace stretto::mpi
