// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>

#include "kernel/platform.hpp"

namespace stretto::kernel {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void computed(double /*flops*/) {}

bool memory_is_shared() { return false; }

bool first_run_differs() { return true; }

}  // namespace stretto::kernel
