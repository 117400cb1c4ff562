// SPDX-License-Identifier: BSD-3-Clause
// Memory that other processes may access, a region for each allocation, and local memory.
#include "mpi/memory.hpp"

#include <armci/armci.h>
#include <armci/parmci.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>

#include "armci/boundary.hpp"
#include "armci/process.hpp"
#include "armci/profiling.hpp"
#include "onesided/api/agreement.hpp"
#include "onesided/api/services.hpp"

using namespace stretto;
using namespace stretto::armci;

namespace {

void allocate(void* addresses[], armci_size_t bytes, ARMCI_Group number) {
  Process& own = process();
  const Team team = own.groups.at(number)->team();
  onesided::agree(team, [&] {
    if (addresses == nullptr) throw Refused(FAIL, "ptr_arr is NULL");
    if (bytes < 0) throw Refused(FAIL3, "bytes: is negative");
  });
  auto region = std::make_unique<Region>(team, static_cast<std::size_t>(bytes));
  Region& made = *region;
  const std::vector<void*> all = own.addresses.add(std::move(region));
  std::copy(all.begin(), all.end(), addresses);
  const bool empty = std::all_of(all.begin(), all.end(), [](void* one) { return one == nullptr; });
  if (!empty) return;
  // No process has an address to free it by.
  made.free();
  own.addresses.remove(onesided::number_of(made));
}

/// The number of the caller's region, plus 1; 0 for NULL.
std::uint64_t number_of(Process& own, const void* address) {
  if (address == nullptr) return 0;
  const auto found = own.addresses.find(own.runtime.rank(), address);
  if (!found || found->place.offset != 0 || &found->region == own.noncollective.region)
    throw Refused(FAIL6, "ptr: ARMCI_Malloc has not given this address");
  return std::uint64_t{onesided::number_of(found->region)} + 1;
}

/// A process without memory in the region learns its number from the others.
void release(void* address, ARMCI_Group number) {
  Process& own = process();
  std::uint64_t mine = 0;
  std::exception_ptr wrong;  // thrown together with the others, who would wait for this process
  try {
    (void)own.groups.at(number);
    mine = number_of(own, address);
  } catch (const Refused&) {
    wrong = std::current_exception();
  }
  const Team team = mine == 0 ? own.groups.at(number)->team()
                              : own.addresses.region(static_cast<std::uint32_t>(mine - 1)).team();
  const std::uint64_t agreed = onesided::agree(team, mine, [&] {
    if (wrong != nullptr) std::rethrow_exception(wrong);
  });
  onesided::agree(team, [&] {
    if (mine != 0 && mine != agreed) throw Refused(FAIL6, "ptr: the processes do not free the same memory");
  });
  if (agreed == 0) return;
  const auto id = static_cast<std::uint32_t>(agreed - 1);
  own.addresses.region(id).free();
  own.addresses.remove(id);
}

}  // namespace

int ARMCI_Malloc(void* ptr_arr[], armci_size_t bytes) {
  return status_of("ARMCI_Malloc", [&] { allocate(ptr_arr, bytes, process().groups.default_number()); });
}

int ARMCI_Malloc_group(void* ptr_arr[], armci_size_t bytes, ARMCI_Group* group) {
  return status_of("ARMCI_Malloc_group", [&] { allocate(ptr_arr, bytes, number_in(group)); });
}

int ARMCI_Free(void* ptr) {
  return status_of("ARMCI_Free", [&] { release(ptr, process().groups.default_number()); });
}

int ARMCI_Free_group(void* ptr, ARMCI_Group* group) {
  return status_of("ARMCI_Free_group", [&] { release(ptr, number_in(group)); });
}

int ARMCI_Malloc_memdev(void** ptr_arr, armci_size_t bytes, const char* /*device*/) {
  return status_of("ARMCI_Malloc_memdev",
                   [&] { allocate(ptr_arr, bytes, process().groups.default_number()); });
}

int ARMCI_Malloc_group_memdev(void** ptr_arr, armci_size_t bytes, ARMCI_Group* group,
                              const char* /*device*/) {
  return status_of("ARMCI_Malloc_group_memdev", [&] { allocate(ptr_arr, bytes, number_in(group)); });
}

int ARMCI_Free_memdev(void* ptr) {
  return status_of("ARMCI_Free_memdev", [&] { release(ptr, process().groups.default_number()); });
}

void ARMCI_Access_begin(void* /*ptr*/) { std::atomic_thread_fence(std::memory_order_seq_cst); }
void ARMCI_Access_end(void* /*ptr*/) { std::atomic_thread_fence(std::memory_order_seq_cst); }

void* ARMCI_Malloc_local(armci_size_t bytes) {
  void* memory = nullptr;
  (void)status_of("ARMCI_Malloc_local", [&] {
    (void)process();
    if (bytes < 0) throw Refused(FAIL3, "bytes: is negative");
    if (bytes > 0) memory = mpi::allocate(static_cast<std::size_t>(bytes));
  });
  return memory;
}

int ARMCI_Free_local(void* ptr) {
  return status_of("ARMCI_Free_local", [&] {
    (void)process();
    mpi::release(static_cast<std::byte*>(ptr));
  });
}

void ARMCI_Copy(void* src, void* dst, int n) {
  or_abort("ARMCI_Copy", [&] {
    if (n > 0) std::memcpy(given(dst, "dst"), given(src, "src"), static_cast<std::size_t>(n));
  });
}

void ARMCI_Set_shm_limit(unsigned long /*shmemlimit*/) {}

STRETTO_PROFILED(ARMCI_Malloc)
STRETTO_PROFILED(ARMCI_Free)
STRETTO_PROFILED(ARMCI_Malloc_memdev)
STRETTO_PROFILED(ARMCI_Malloc_group_memdev)
STRETTO_PROFILED(ARMCI_Free_memdev)
STRETTO_PROFILED(ARMCI_Access_begin)
STRETTO_PROFILED(ARMCI_Access_end)
STRETTO_PROFILED(ARMCI_Malloc_local)
STRETTO_PROFILED(ARMCI_Free_local)
