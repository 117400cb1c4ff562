// SPDX-License-Identifier: BSD-3-Clause
// All that this process has of ARMCI between ARMCI_Init and ARMCI_Finalize.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <stretto/runtime.hpp>
#include <vector>

#include "armci/address_table.hpp"
#include "armci/environment.hpp"
#include "armci/group_table.hpp"
#include "armci/handle_table.hpp"
#include "armci/heap.hpp"
#include "armci/mutex_set.hpp"
#include "mpi/communicator.hpp"
#include "rma/api/runtime_state.hpp"

namespace stretto::armci {

/// A message to oneself, which leaves before it is taken.
struct SelfSend {
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<std::byte> bytes;
};

/// What ARMCI_Memget gives out; the addresses of its region are in Process::addresses.
struct NoncollectiveMemory {
  explicit NoncollectiveMemory(std::size_t size_bytes) : heap(size_bytes) {}
  const Region* region = nullptr;  // nullptr where the size is 0
  Heap heap;
};

struct Process {
  /// Over MPI_COMM_WORLD, which must be there; collective. Settings are rank 0's environment's.
  Process();

  mpi::Communicator messages;  // what armci_msg_snd sends on
  Settings settings;
  std::mutex self_sends_mutex;
  std::list<SelfSend> self_sends;
  Runtime runtime;
  AddressTable addresses;
  GroupTable groups;
  HandleTable handles;
  std::unique_ptr<MutexSet> mutexes;
  NoncollectiveMemory noncollective;

  [[nodiscard]] rma::State& state() const { return *runtime.state(); }
  /// Throws Refused.
  void check_process(int process) const;
};

/// Throws Refused before begin() and after end().
[[nodiscard]] Process& process();
[[nodiscard]] bool is_initialised();

/// Initialises MPI where it is not. Called again it only counts.
void begin(int* argc, char*** argv);
/// Undoes as many begin().
void end();

}  // namespace stretto::armci
