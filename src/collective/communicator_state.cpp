// SPDX-License-Identifier: BSD-3-Clause
#include "collective/communicator_state.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

#include "mpi/check.hpp"

namespace stretto::collective {
namespace {

using mpi::check;

std::atomic<std::size_t> alive{0};

int free_state(MPI_Comm /*communicator*/, int /*key*/, void* state, void* /*extra*/) {
  delete static_cast<CommunicatorState*>(state);
  return MPI_SUCCESS;
}

int make_key() {
  int key = MPI_KEYVAL_INVALID;
  // A duplicate does not inherit the cached state; it makes its own when needed.
  check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_state, &key, nullptr), "MPI_Comm_create_keyval");
  return key;
}

int state_key() {
  static const int key = make_key();
  return key;
}

bool frees_world_itself = false;

/// Frees the state of MPI_COMM_WORLD while communication still works: MPI_Finalize deletes the attributes of
/// MPI_COMM_SELF first.
int at_finalize(MPI_Comm /*self*/, int /*key*/, void* /*value*/, void* /*extra*/) {
  CommunicatorState::free_world();
  return MPI_SUCCESS;
}

bool register_world_cleanup() {
  if (frees_world_itself) return false;
  int key = MPI_KEYVAL_INVALID;
  check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, nullptr), "MPI_Comm_create_keyval");
  check(PMPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
  return true;
}

}  // namespace

OwnCommunicator::OwnCommunicator(MPI_Comm from, int colour, int key) {
  check(PMPI_Comm_split(from, colour, key, &handle_), "MPI_Comm_split");
  check(PMPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  ++alive;
}

OwnCommunicator::~OwnCommunicator() {
  PMPI_Comm_free(&handle_);
  --alive;
}

CommunicatorState::CommunicatorState(MPI_Comm communicator) : communicator_(communicator) {
  int inter = 0;
  check(PMPI_Comm_test_inter(communicator, &inter), "MPI_Comm_test_inter");
  inter_ = inter != 0;
  check(PMPI_Comm_rank(communicator, &rank_), "MPI_Comm_rank");
  check(PMPI_Comm_size(communicator, &size_), "MPI_Comm_size");
}

CommunicatorState& CommunicatorState::of(MPI_Comm communicator) {
  static const bool registered = register_world_cleanup();
  (void)registered;
  void* state = nullptr;
  int found = 0;
  check(PMPI_Comm_get_attr(communicator, state_key(), &state, &found), "MPI_Comm_get_attr");
  if (found != 0) return *static_cast<CommunicatorState*>(state);
  auto made = std::make_unique<CommunicatorState>(communicator);
  check(PMPI_Comm_set_attr(communicator, state_key(), made.get()), "MPI_Comm_set_attr");
  return *made.release();
}

void CommunicatorState::free_world() {
  void* state = nullptr;
  int found = 0;
  const int code = PMPI_Comm_get_attr(MPI_COMM_WORLD, state_key(), &state, &found);
  // SMPI has freed the world, with its cached state, where MPI_Finalize calls this.
  if (code == MPI_SUCCESS && found != 0) PMPI_Comm_delete_attr(MPI_COMM_WORLD, state_key());
}

void CommunicatorState::caller_frees_world() { frees_world_itself = true; }

const GridGroups& CommunicatorState::groups(const Grid& grid) {
  if (!grid.holds(size_)) {
    throw std::invalid_argument("grid " + to_string(grid) + " does not hold " + std::to_string(size_) +
                                " ranks: give P1xP2 of which P1-1 rows are full and the last begun");
  }
  const auto [place, is_new] = groups_.try_emplace(grid);
  if (is_new) {
    const int row = rank_ / grid.columns;
    const int column = rank_ % grid.columns;
    // NOLINTNEXTLINE(modernize-make-unique): which would have to move the groups
    place->second.reset(
        new GridGroups{.row = {communicator_, row, rank_}, .column = {communicator_, column, rank_}});
  }
  return *place->second;
}

MPI_Comm CommunicatorState::internal_communicator() {
  if (!internal_) internal_ = std::make_unique<OwnCommunicator>(communicator_, 0, rank_);
  return internal_->get();
}

std::map<std::pair<Operation, std::uint64_t>, Decision>& CommunicatorState::decisions(int generation) {
  if (generation != generation_) decisions_.clear();
  generation_ = generation;
  return decisions_;
}

std::size_t own_communicators_alive() { return alive; }

}  // namespace stretto::collective
