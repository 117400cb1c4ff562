// SPDX-License-Identifier: BSD-3-Clause
// Memory that a process allocates without the others, which may use it once they have its description.
// Creating a region is collective, so all processes create one when ARMCI begins, and this allocates parts of
// it.
#include <armci/armci.h>
#include <armci/parmci.h>

#include <string>

#include "armci/boundary.hpp"
#include "armci/process.hpp"
#include "armci/profiling.hpp"
#include "onesided/api/services.hpp"

using namespace stretto::armci;

namespace {

void check_flag(long flag) {
  if (flag != 0)
    throw Refused(FAIL6, "memflg: " + std::to_string(flag) + " is not 0, and nothing else is known");
}

armci_meminfo_t& checked(armci_meminfo_t* meminfo) {
  if (meminfo == nullptr) throw Refused(FAIL, "meminfo: is NULL");
  return *meminfo;
}

/// The memory's offset in its creator's part, which the creator has written into the description.
std::size_t offset_in(const armci_meminfo_t& meminfo) {
  const auto offset = static_cast<std::size_t>(meminfo.idlist[0]);
  const std::size_t size = process().settings.heap_bytes;
  if (meminfo.addr == nullptr || offset > size || meminfo.size > size - offset) {
    throw Refused(FAIL6, "meminfo: is none that ARMCI_Memget has filled in, or was given back");
  }
  process().check_process(meminfo.cpid);
  return offset;
}

/// The address by which the caller knows the first byte of a process's part.
char* part_of(int rank) {
  return reinterpret_cast<char*>(stretto::onesided::address_of(*process().noncollective.region, rank));
}

}  // namespace

void ARMCI_Memget(size_t bytes, armci_meminfo_t* meminfo, int memflg) {
  or_abort("ARMCI_Memget", [&] {
    armci_meminfo_t& info = checked(meminfo);
    check_flag(memflg);
    if (bytes == 0) throw Refused(FAIL3, "bytes: is 0");
    Process& own = process();
    const auto offset = own.noncollective.heap.take(bytes);
    if (!offset) {
      throw Refused(FAIL6, "bytes: " + std::to_string(bytes) + " do not fit in what is left of the " +
                               std::to_string(own.settings.heap_bytes) +
                               " that STRETTO_HEAP_BYTES gives each process");
    }
    info = {};
    info.addr = part_of(own.runtime.rank()) + *offset;
    info.armci_addr = info.addr;
    info.size = bytes;
    info.cpid = own.runtime.rank();
    info.idlist[0] = static_cast<long>(*offset);
  });
}

void* ARMCI_Memat(armci_meminfo_t* meminfo, long memflg) {
  return or_abort("ARMCI_Memat", [&]() -> void* {
    const armci_meminfo_t& info = checked(meminfo);
    check_flag(memflg);
    const std::size_t offset = offset_in(info);
    return part_of(info.cpid) + offset;
  });
}

void ARMCI_Memdt(armci_meminfo_t* meminfo, long memflg) {
  or_abort("ARMCI_Memdt", [&] {
    check_flag(memflg);
    (void)offset_in(checked(meminfo));
  });
}

void ARMCI_Memctl(armci_meminfo_t* meminfo) {
  or_abort("ARMCI_Memctl", [&] {
    armci_meminfo_t& info = checked(meminfo);
    const std::size_t offset = offset_in(info);
    if (info.cpid == process().runtime.rank() && !process().noncollective.heap.release(offset)) {
      throw Refused(FAIL6, "meminfo: was given back before");
    }
    info.addr = nullptr;
    info.armci_addr = nullptr;
  });
}

STRETTO_PROFILED(ARMCI_Memget)
STRETTO_PROFILED(ARMCI_Memat)
STRETTO_PROFILED(ARMCI_Memctl)
