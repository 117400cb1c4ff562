// SPDX-License-Identifier: BSD-3-Clause
// The runtime's transfers from ARMCI's arguments. Throws Refused with the interface's code for an invalid
// argument.
#pragma once

#include <armci/armci.h>

#include <optional>
#include <stretto/element.hpp>
#include <vector>

#include "armci/address_table.hpp"
#include "onesided/path/execute.hpp"

namespace stretto::armci {

/// nullopt where nothing moves: the transfer has no bytes, or its source is its destination.
using OneTransfer = std::optional<onesided::LayoutTransfer>;

/// One side of a strided operation.
struct StridedMemory {
  void* first = nullptr;
  const int* strides = nullptr;
};

/// The place of an address of `process`.
[[nodiscard]] AddressTable::Found locate(int process, const void* address);

[[nodiscard]] OneTransfer contiguous(onesided::OperationKind kind, void* local, void* remote, int bytes,
                                     int process);
[[nodiscard]] OneTransfer strided(onesided::OperationKind kind, const StridedMemory& local,
                                  const StridedMemory& remote, const int* count, int levels, int process);
/// One transfer for each region.
[[nodiscard]] std::vector<onesided::LayoutTransfer> vector(onesided::OperationKind kind,
                                                           const armci_giov_t* descriptors, int length,
                                                           int process);

/// The factor, one number of the type `optype`.
[[nodiscard]] Scale scale_of(int optype, const void* factor);
/// Gives accumulates their factor.
[[nodiscard]] OneTransfer scaled(OneTransfer&& transfer, const Scale& scale);
[[nodiscard]] std::vector<onesided::LayoutTransfer> scaled(std::vector<onesided::LayoutTransfer>&& transfers,
                                                           const Scale& scale);

}  // namespace stretto::armci
