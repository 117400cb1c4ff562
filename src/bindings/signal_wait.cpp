// SPDX-License-Identifier: BSD-3-Clause
// Waiting for flags.
#include <algorithm>
#include <span>
#include <stretto/signal.hpp>
#include <string>
#include <vector>

#include "bindings/objects.hpp"

using namespace stretto::bindings;
using stretto::Comparison;
using stretto::SignalCondition;

namespace {

static_assert(static_cast<int>(Comparison::equal) == STRETTO_EQUAL &&
              static_cast<int>(Comparison::not_equal) == STRETTO_NOT_EQUAL &&
              static_cast<int>(Comparison::greater) == STRETTO_GREATER &&
              static_cast<int>(Comparison::greater_equal) == STRETTO_GREATER_EQUAL &&
              static_cast<int>(Comparison::less) == STRETTO_LESS &&
              static_cast<int>(Comparison::less_equal) == STRETTO_LESS_EQUAL);

std::vector<SignalCondition> conditions_of(const stretto_signal_condition* conditions, std::size_t count) {
  std::vector<SignalCondition> all;
  all.reserve(count);
  for (const auto& one : std::span(given_array(conditions, count, "conditions"), count)) {
    if (one.comparison < STRETTO_EQUAL || one.comparison > STRETTO_LESS_EQUAL) {
      throw stretto::ArgumentError("conditions", "the comparison " + std::to_string(one.comparison) +
                                                     " is none of the constants of stretto.h");
    }
    all.push_back(
        {.offset = one.offset, .value = one.value, .comparison = static_cast<Comparison>(one.comparison)});
  }
  return all;
}

}  // namespace

extern "C" {

int stretto_wait_signal(const stretto_region* region, size_t offset, uint64_t value, uint64_t* seen) {
  return guarded([&] {
    const std::uint64_t result = stretto::wait_signal(region_of(region), offset, value);
    if (seen != nullptr) *seen = result;
  });
}

int stretto_test_signal(const stretto_region* region, size_t offset, uint64_t value, int* raised) {
  return give(raised, "raised",
              [&] { return stretto::test_signal(region_of(region), offset, value) ? 1 : 0; });
}

int stretto_reset_signal(const stretto_region* region, size_t offset, uint64_t value) {
  return guarded([&] { stretto::reset_signal(region_of(region), offset, value); });
}

int stretto_wait_any_signal(const stretto_region* region, size_t count,
                            const stretto_signal_condition conditions[], size_t* index) {
  return give(index, "index",
              [&] { return stretto::wait_any_signal(region_of(region), conditions_of(conditions, count)); });
}

int stretto_wait_some_signals(const stretto_region* region, size_t count,
                              const stretto_signal_condition conditions[], size_t* found, size_t indices[]) {
  return guarded([&] {
    std::size_t& result = given(found, "found");
    std::size_t* const list = given_array(indices, count, "indices");
    const auto held = stretto::wait_some_signals(region_of(region), conditions_of(conditions, count));
    std::ranges::copy(held, list);
    result = held.size();
  });
}

int stretto_wait_all_signals(const stretto_region* region, size_t count,
                             const stretto_signal_condition conditions[]) {
  return guarded([&] { stretto::wait_all_signals(region_of(region), conditions_of(conditions, count)); });
}

int stretto_test_any_signal(const stretto_region* region, size_t count,
                            const stretto_signal_condition conditions[], size_t* index) {
  return guarded([&] {
    std::size_t& result = given(index, "index");
    result = stretto::test_any_signal(region_of(region), conditions_of(conditions, count)).value_or(count);
  });
}
}
