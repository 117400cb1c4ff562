// SPDX-License-Identifier: BSD-3-Clause
// Sizes that come from arguments, computed without wrapping around. Each function throws ArgumentError, with
// the argument's name, where the result does not fit.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <stretto/error.hpp>
#include <string>
#include <utility>

namespace stretto::detail {

[[noreturn]] inline void refuse_size(const char* argument) {
  throw ArgumentError(argument, "makes a size that no memory has");
}

[[nodiscard]] inline std::size_t checked_sum(const char* argument, std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]]
    refuse_size(argument);
  return sum;
}

[[nodiscard]] inline std::size_t checked_product(const char* argument, std::size_t a, std::size_t b) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) [[unlikely]]
    refuse_size(argument);
  return product;
}

/// The same number in another type of integers.
template <std::integral To, std::integral From>
[[nodiscard]] To checked_number(const char* argument, From number) {
  if (!std::in_range<To>(number)) [[unlikely]] {
    throw ArgumentError(argument, std::to_string(number) + " is not between " +
                                      std::to_string(std::numeric_limits<To>::min()) + " and " +
                                      std::to_string(std::numeric_limits<To>::max()));
  }
  return static_cast<To>(number);
}

/// Throws unless an object of so many bytes can be: the difference of two addresses in it fits.
inline void check_object_size(const char* argument, std::size_t size_bytes) {
  if (std::in_range<std::ptrdiff_t>(size_bytes)) [[likely]]
    return;
  refuse_size(argument);
}

}  // namespace stretto::detail
