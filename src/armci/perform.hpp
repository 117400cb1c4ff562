// SPDX-License-Identifier: BSD-3-Clause
// Carries out what describe.hpp has described: at once, or by a handle.
#pragma once

#include <armci/armci.h>

#include <array>
#include <cstring>
#include <vector>

#include "armci/describe.hpp"

namespace stretto::armci {

/// Until complete here.
void run(OneTransfer&& transfer);
void run(std::vector<rma::Transfer>&& transfers);

/// Returns when it has started; gathers it where the handle is an aggregate. Without a handle it is implicit.
void start(OneTransfer&& transfer, armci_hdl_t* handle);
void start(std::vector<rma::Transfer>&& transfers, armci_hdl_t* handle);

/// A value that is gone when the caller returns: complete here, or kept where an aggregate takes it.
void start_value(std::array<std::byte, 8> value, int bytes, void* remote, int process, armci_hdl_t* handle);

/// Then `*flag = value` there.
void run_with_flag(OneTransfer&& put, const int* flag, int value, int process);

}  // namespace stretto::armci
