// SPDX-License-Identifier: BSD-3-Clause
// From ARMCI's arguments to the runtime's transfers. Throws Refused with the code that the interface has for
// an argument that cannot be.
#pragma once

#include <armci/armci.h>

#include <optional>
#include <stretto/element.hpp>
#include <vector>

#include "armci/address_table.hpp"
#include "rma/path/execute.hpp"

namespace stretto::armci {

/// nullopt: it has no bytes.
using OneTransfer = std::optional<rma::Transfer>;

/// One side of a strided operation.
struct Side {
  void* first = nullptr;
  const int* strides = nullptr;
};

/// The place of an address of `process`.
[[nodiscard]] AddressTable::Found locate(int process, const void* address);

[[nodiscard]] OneTransfer contiguous(rma::OperationKind kind, void* local, void* remote, int bytes,
                                     int process);
[[nodiscard]] OneTransfer strided(rma::OperationKind kind, const Side& local, const Side& remote,
                                  const int* count, int levels, int process);
/// One a region.
[[nodiscard]] std::vector<rma::Transfer> vector(rma::OperationKind kind, const armci_giov_t* descriptors,
                                                int length, int process);

/// One number of the type at `factor`.
[[nodiscard]] Scale scale_of(int optype, const void* factor);
/// A put that becomes an accumulate.
[[nodiscard]] OneTransfer scaled(OneTransfer&& put, const Scale& scale);
[[nodiscard]] std::vector<rma::Transfer> scaled(std::vector<rma::Transfer>&& puts, const Scale& scale);

}  // namespace stretto::armci
