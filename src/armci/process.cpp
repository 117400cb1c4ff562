// SPDX-License-Identifier: BSD-3-Clause
#include "armci/process.hpp"

#include <mpi.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "armci/boundary.hpp"
#include "armci/codes.hpp"
#include "mpi/check.hpp"
#include "onesided/api/finalize_hook.hpp"

namespace stretto::armci {

using mpi::check;

namespace {

// Never destroyed at the end of the program, because that would be collective.
std::atomic<Process*> current{nullptr};
int begun = 0;
bool began_mpi = false;

/// All ranks take the settings of rank 0, and rank 0 alone reports what is wrong with them.
Settings shared_settings(const mpi::Communicator& all) {
  const std::string lines = all.broadcast(all.rank() == 0 ? settings_in_environment() : "");
  try {
    return parse_settings(lines);
  } catch (const Refused& refused) {
    throw Refused(refused.code(), all.rank() == 0 ? refused.what() : "");
  }
}

/// Refused by all processes where one has code of both headers.
bool agree_on_types(const mpi::Communicator& all) {
  onesided::agree(all.get(), [] { choose_types(); });
  return true;
}

void begin_mpi(int* argc, char*** argv) {
  int initialised = 0;
  check(MPI_Initialized(&initialised), "MPI_Initialized");
  if (initialised != 0) return;
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  began_mpi = true;
}

/// Where ARMCI has initialised MPI, the program need not finalize it.
void finalize_mpi_at_exit() {
#ifndef STRETTO_SIMGRID  // where a rank is a thread, which does not exit
  if (!began_mpi) return;
  began_mpi = false;
  std::atexit([] {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Finalize();
  });
#endif
}

// Of a program that leaves ARMCI_Finalize out, as ComEx lets it. Never destroyed after MPI has ended.
onesided::FinalizeHook* hook = nullptr;
bool ends_with_mpi = false;

void end_with_mpi() {
  hook = new onesided::FinalizeHook([] {
    ends_with_mpi = true;  // the hook is in use
    begun = 1;
    end();
  });
}

void free_all_memory(Process& own) {
  for (const std::uint32_t id : own.addresses.ids()) {
    own.addresses.region(id).free();
    own.addresses.remove(id);
  }
}

}  // namespace

Process::Process(MPI_Comm world)
    : messages(world),
      types_chosen(agree_on_types(messages)),
      settings(shared_settings(messages)),
      runtime(world, settings.options),
      addresses(runtime.size()),
      groups(runtime),
      handles(runtime),
      noncollective(settings.heap_bytes) {
  if (settings.heap_bytes == 0) return;
  auto region = std::make_unique<Region>(runtime, settings.heap_bytes);
  noncollective.region = region.get();
  (void)addresses.add(std::move(region));
}

void Process::check_process(int process) const {
  if (process >= 0 && process < runtime.size()) return;
  throw Refused(FAIL5, "proc: " + std::to_string(process) + " is none of the " +
                           std::to_string(runtime.size()) + " processes");
}

Process& process() {
  Process* own = current.load(std::memory_order_acquire);
  if (own == nullptr) throw Refused(FAIL, "ARMCI is not initialised; call ARMCI_Init first");
  return *own;
}

bool is_initialised() { return current.load(std::memory_order_acquire) != nullptr; }

void begin(int* argc, char*** argv) {
  if (begun == 0) begin_mpi(argc, argv);
  begin(MPI_COMM_WORLD);
}

void begin(MPI_Comm world) {
  if (begun == 0) {
    current.store(new Process(world), std::memory_order_release);
    end_with_mpi();
  }
  ++begun;
}

void end() {
  Process& own = process();
  if (--begun > 0) return;
  if (!ends_with_mpi) delete std::exchange(hook, nullptr);
  own.handles.wait_all();
  own.runtime.wait_implicit();
  own.runtime.barrier();
  if (own.mutexes != nullptr) own.mutexes->free();
  own.mutexes.reset();
  free_all_memory(own);
  own.runtime.finalize();
  current.store(nullptr, std::memory_order_release);
  delete &own;
  finalize_mpi_at_exit();
}

}  // namespace stretto::armci
