// SPDX-License-Identifier: BSD-3-Clause
// The state of ARMCI in this process, between ARMCI_Init and ARMCI_Finalize.
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

namespace stretto::armci {

/// A message of a process to itself: it is sent before the process receives it.
struct SelfSend {
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<std::byte> bytes;
};

/// The memory of ARMCI_Memget; Process::addresses has the addresses of its region.
struct NoncollectiveMemory {
  explicit NoncollectiveMemory(std::size_t size_bytes) : heap(size_bytes) {}
  const Region* region = nullptr;  // nullptr where the size is 0
  Heap heap;
};

struct Process {
  /// Over the processes of `world`; MPI must be initialised. Collective. The settings are those of rank 0's
  /// environment.
  explicit Process(MPI_Comm world);

  mpi::Communicator messages;  // of armci_msg_snd
  // Always true. It is a member so that its initialiser refuses a process with code of both headers before
  // the next members start anything.
  bool types_chosen;
  Settings settings;
  std::mutex self_sends_mutex;
  std::list<SelfSend> self_sends;
  Runtime runtime;
  AddressTable addresses;
  GroupTable groups;
  HandleTable handles;
  std::unique_ptr<MutexSet> mutexes;
  NoncollectiveMemory noncollective;

  /// Throws Refused.
  void check_process(int process) const;
};

/// Throws Refused before begin() and after end().
[[nodiscard]] Process& process();
[[nodiscard]] bool is_initialised();

/// Initialises MPI where the program has not. A second call only counts.
void begin(int* argc, char*** argv);
/// The same over the processes of `world` alone; MPI must be initialised.
void begin(MPI_Comm world);
/// Ends ARMCI when it was called as often as begin().
void end();

}  // namespace stretto::armci
