// SPDX-License-Identifier: BSD-3-Clause
// Atomic updates of one integer.
#include <stretto/atomic.hpp>

#include "bindings/objects.hpp"

using namespace stretto::bindings;

namespace {

template <typename T>
int fetch_add(const stretto_region* region, int target, size_t offset, T value, T* before) {
  return guarded([&] {
    given(before, "before") = stretto::fetch_add(region_of(region), {target, offset}, value);
  });
}

template <typename T>
int swap(const stretto_region* region, int target, size_t offset, T value, T* before) {
  return guarded([&] {
    given(before, "before") = stretto::swap(region_of(region), {target, offset}, value);
  });
}

template <typename T>
int compare_swap(const stretto_region* region, int target, size_t offset, T expected, T desired, T* before) {
  return guarded([&] {
    given(before, "before") = stretto::compare_swap(region_of(region), {target, offset}, expected, desired);
  });
}

}  // namespace

extern "C" {

int stretto_fetch_add_int32(const stretto_region* region, int target, size_t offset, int32_t value,
                            int32_t* before) {
  return fetch_add(region, target, offset, value, before);
}

int stretto_fetch_add_int64(const stretto_region* region, int target, size_t offset, int64_t value,
                            int64_t* before) {
  return fetch_add(region, target, offset, value, before);
}

int stretto_swap_int32(const stretto_region* region, int target, size_t offset, int32_t value,
                       int32_t* before) {
  return swap(region, target, offset, value, before);
}

int stretto_swap_int64(const stretto_region* region, int target, size_t offset, int64_t value,
                       int64_t* before) {
  return swap(region, target, offset, value, before);
}

int stretto_compare_swap_int32(const stretto_region* region, int target, size_t offset, int32_t expected,
                               int32_t desired, int32_t* before) {
  return compare_swap(region, target, offset, expected, desired, before);
}

int stretto_compare_swap_int64(const stretto_region* region, int target, size_t offset, int64_t expected,
                               int64_t desired, int64_t* before) {
  return compare_swap(region, target, offset, expected, desired, before);
}
}
