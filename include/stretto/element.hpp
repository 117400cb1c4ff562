// SPDX-License-Identifier: BSD-3-Clause
// The types of the elements that accumulate adds (ARMCI's INT, LNG, FLT, DBL, CPL and DCP), and the names of
// atomic updates.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace stretto {

enum class ElementType : std::uint32_t { int32, int64, float32, float64, complex64, complex128 };

/// Bytes of one element.
[[nodiscard]] constexpr std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::int32:
    case ElementType::float32:
      return 4;
    case ElementType::complex128:
      return 16;
    default:
      return 8;
  }
}

namespace detail {
/// The updates of stretto/atomic.hpp.
enum class AtomicOperation : std::uint32_t {
  fetch_add,
  swap,
  compare_swap,
  fetch_and,
  fetch_or,
  fetch_xor,
  fetch_add_real,  // of a float or a double
  fetch
};

template <typename T>
constexpr bool is_signed_integer = std::is_integral_v<T>&& std::is_signed_v<T>;
}  // namespace detail

template <typename T>
concept Element = (detail::is_signed_integer<T> && (sizeof(T) == 4 || sizeof(T) == 8)) ||
                  std::is_same_v<T, float> || std::is_same_v<T, double> ||
                  std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <Element T>
[[nodiscard]] constexpr ElementType element_type() {
  if constexpr (std::is_integral_v<T>) return sizeof(T) == 4 ? ElementType::int32 : ElementType::int64;
  if constexpr (std::is_same_v<T, float>) return ElementType::float32;
  if constexpr (std::is_same_v<T, double>) return ElementType::float64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return ElementType::complex64;
  return ElementType::complex128;
}

/// What accumulate adds to: target[i] += factor * source[i], of one type all three.
struct Scale {
  ElementType type = ElementType::float64;
  std::array<std::byte, 16> factor{};

  template <Element T>
  [[nodiscard]] static Scale of(const T& factor) {
    Scale scale{.type = element_type<T>()};
    std::memcpy(scale.factor.data(), &factor, sizeof factor);
    return scale;
  }
};

}  // namespace stretto
