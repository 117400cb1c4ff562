// SPDX-License-Identifier: BSD-3-Clause
#include "armci/codes.hpp"

#include <armci/message.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

#include "armci/boundary.hpp"
#include "armci/referenced_symbol.hpp"

/// Defined by the objects that armci.h compiled; nullptr where there is none.
extern "C" __attribute__((weak)) const int stretto_armci_header;

namespace stretto::armci {
namespace {

// By ARMCI-MPI's code.
constexpr std::array accumulates{ARMCI_ACC_INT, ARMCI_ACC_LNG, ARMCI_ACC_FLT,
                                 ARMCI_ACC_DBL, ARMCI_ACC_CPL, ARMCI_ACC_DCP};
constexpr std::array updates{ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG};
constexpr std::array types{ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE};
constexpr std::array scopes{SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS};

/// A group as ARMCI-MPI's header has it. The number stands where its own library keeps a second communicator.
struct GroupOfArmciMpi {
  MPI_Comm communicator;
  union {
    ARMCI_Group number;
    MPI_Comm second;
  };
  int* to_all;
  int* from_all;
  int rank;
  int size;
};

// Chosen when ARMCI begins: an object that is loaded later changes no layout.
std::optional<bool> armci_mpi_types;

template <std::size_t count>
int translated(int code, const std::array<int, count>& codes) {
  const bool known = code >= 0 && static_cast<std::size_t>(code) < count;
  return known ? codes[static_cast<std::size_t>(code)] : code;
}

}  // namespace

int accumulate_code(int optype) { return translated(optype, accumulates); }
int update_code(int op) { return translated(op, updates); }
int type_code(int type) { return translated(type, types); }
int scope_code(int scope) { return translated(scope, scopes); }

void choose_types() {
  const std::string object = object_that_references("ARMCI_INIT_HANDLE");
  const bool own = &stretto_armci_header != nullptr;
  if (!object.empty() && own) {
    throw Refused(FAIL6,
                  "the program was compiled with stretto's armci.h, and " + object +
                      " with that of ARMCI-MPI, which has other groups and vectors; compile both with one");
  }
  armci_mpi_types = !object.empty();
}

bool has_armci_mpi_types() {
  // Also of a call before ARMCI begins, such as ARMCI_Group_get_world.
  if (!armci_mpi_types) {
    armci_mpi_types =
        &stretto_armci_header == nullptr && !object_that_references("ARMCI_INIT_HANDLE").empty();
  }
  return *armci_mpi_types;
}

VectorCounts counts_of(const armci_giov_t& descriptor) {
  if (has_armci_mpi_types()) return {.segments = descriptor.bytes, .bytes = descriptor.ptr_array_len};
  return {.segments = descriptor.ptr_array_len, .bytes = descriptor.bytes};
}

ARMCI_Group read_group(const ARMCI_Group* group) {
  if (!has_armci_mpi_types()) return *group;
  GroupOfArmciMpi other;
  std::memcpy(&other, group, sizeof other);
  return other.number;
}

void write_group(ARMCI_Group* group, ARMCI_Group number, MPI_Comm communicator, int rank, int size) {
  if (!has_armci_mpi_types()) {
    *group = number;
    return;
  }
  GroupOfArmciMpi other{};
  other.communicator = communicator;
  other.number = number;
  other.rank = rank;
  other.size = size;
  std::memcpy(static_cast<void*>(group), &other, sizeof other);
}

}  // namespace stretto::armci
