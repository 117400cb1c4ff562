// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>

#include "plan/platform.hpp"

namespace stretto::plan {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void computed(double /*flops*/) {}

bool memory_is_shared() { return false; }

bool first_run_differs() { return true; }

}  // namespace stretto::plan
