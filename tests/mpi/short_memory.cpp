// SPDX-License-Identifier: BSD-3-Clause
#include "short_memory.hpp"

#include <atomic>
#include <limits>

namespace stretto::testing {
namespace {

constexpr int never = std::numeric_limits<int>::max();
std::atomic<int> good_answers{never};

}  // namespace

bool memory_is_short() { return good_answers != never && good_answers-- <= 0; }

ShortMemory::ShortMemory(int before) { good_answers = before; }
ShortMemory::~ShortMemory() { good_answers = never; }

}  // namespace stretto::testing
