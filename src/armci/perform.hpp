// SPDX-License-Identifier: BSD-3-Clause
// Carries out the transfers of describe.hpp: blocking, or with a handle.
#pragma once

#include <armci/armci.h>

#include <array>
#include <cstring>
#include <vector>

#include "armci/describe.hpp"

namespace stretto::armci {

/// Returns when they are complete at this process.
void run(OneTransfer&& transfer);
void run(std::vector<onesided::LayoutTransfer>&& transfers);

/// Returns when they have started, or were added to the aggregate of the handle. Without a handle they are
/// implicit.
void start(OneTransfer&& transfer, armci_hdl_t* handle);
void start(std::vector<onesided::LayoutTransfer>&& transfers, armci_hdl_t* handle);

/// Puts a value that ends with the call: it is complete at this process then, or the aggregate keeps it.
void start_value(std::array<std::byte, 8> value, int bytes, void* remote, int process, armci_hdl_t* handle);

/// A put, and `*flag = value` at the target after it.
void run_with_flag(OneTransfer&& put, const int* flag, int value, int process);

}  // namespace stretto::armci
