// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/memory/memory_operations.hpp"

#include <atomic>
#include <bit>
#include <complex>
#include <cstring>
#include <thread>

#include "mpi/delay.hpp"

namespace stretto::onesided {
namespace {

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Integers wrap around, as the processor's atomic addition does.
template <typename T>
T scaled(T factor, T value) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(factor) * static_cast<Unsigned>(value));
  } else {
    return factor * value;
  }
}

template <typename T>
void add(std::byte* to, const T& value) {
  std::atomic_ref<T>(*reinterpret_cast<T*>(to)).fetch_add(value, std::memory_order_relaxed);
}

template <typename T>
void add(std::byte* to, const std::complex<T>& value) {
  add<T>(to, value.real());
  add<T>(to + sizeof(T), value.imag());
}

template <typename T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return a + b;
  }
}

/// A lock that processes of a node share.
class SharedLock {
 public:
  explicit SharedLock(int& word) : word_(word) {
    mpi::delay_point();
    while (word_.exchange(1, std::memory_order_acquire) != 0) std::this_thread::yield();
  }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;
  ~SharedLock() { word_.store(0, std::memory_order_release); }

 private:
  std::atomic_ref<int> word_;
};

/// `Part` is T, or the type of both parts of a complex number.
template <typename T, typename Part = T>
void accumulate_as(std::byte* to, const std::byte* from, std::size_t size_bytes, const Scale& scale,
                   int& lock) {
  const T factor = load<T>(scale.factor.data());
  if (reinterpret_cast<std::uintptr_t>(to) % std::atomic_ref<Part>::required_alignment == 0) {
    for (std::size_t i = 0; i < size_bytes; i += sizeof(T)) add(to + i, scaled(factor, load<T>(from + i)));
    return;
  }
  const SharedLock held(lock);
  for (std::size_t i = 0; i < size_bytes; i += sizeof(T)) {
    const T after = sum(load<T>(to + i), scaled(factor, load<T>(from + i)));
    std::memcpy(to + i, &after, sizeof after);
  }
}

/// Adds a float, or a double, to one. All are bits in integers of the same size.
template <typename Bits>
Bits add_real(const std::atomic_ref<Bits>& place, Bits operand) {
  using Real = std::conditional_t<sizeof(Bits) == sizeof(float), float, double>;
  Bits before = place.load();
  for (Bits after = before;;) {
    after = std::bit_cast<Bits>(std::bit_cast<Real>(before) + std::bit_cast<Real>(operand));
    if (place.compare_exchange_weak(before, after)) return before;
  }
}

template <typename T>
std::uint64_t update_as(std::byte* place, stretto::detail::AtomicOperation operation, std::uint64_t operand,
                        std::uint64_t expected) {
  mpi::delay_point();
  const std::atomic_ref<T> value(*reinterpret_cast<T*>(place));
  const auto typed_operand = static_cast<T>(operand);
  switch (operation) {
    case stretto::detail::AtomicOperation::fetch_add:
      return value.fetch_add(typed_operand);
    case stretto::detail::AtomicOperation::swap:
      return value.exchange(typed_operand);
    case stretto::detail::AtomicOperation::fetch_and:
      return value.fetch_and(typed_operand);
    case stretto::detail::AtomicOperation::fetch_or:
      return value.fetch_or(typed_operand);
    case stretto::detail::AtomicOperation::fetch_xor:
      return value.fetch_xor(typed_operand);
    case stretto::detail::AtomicOperation::fetch_add_real:
      return add_real(value, typed_operand);
    case stretto::detail::AtomicOperation::fetch:
      return value.load();
    case stretto::detail::AtomicOperation::compare_swap:
      break;
  }
  auto before = static_cast<T>(expected);
  value.compare_exchange_strong(before, typed_operand);
  return before;
}

template <typename T>
void raise_as(std::byte* place, T value, bool add) {
  mpi::delay_point();
  const std::atomic_ref<T> flag(*reinterpret_cast<T*>(place));
  if (add) {
    flag.fetch_add(value, std::memory_order_release);
  } else {
    flag.store(value, std::memory_order_release);
  }
}

/// Blocks of a size that the compiler knows become loads and stores instead of calls.
template <std::size_t size_bytes>
void copy_equal_blocks(std::byte* to, std::size_t to_stride, const std::byte* from, std::size_t from_stride,
                       std::size_t count) {
  for (; count > 0; --count, to += to_stride, from += from_stride) std::memcpy(to, from, size_bytes);
}

}  // namespace

void copy_bytes(std::byte* to, const std::byte* from, std::size_t size_bytes) {
  if (size_bytes == 8) {
    std::memcpy(to, from, 8);
  } else if (size_bytes == 4) {
    std::memcpy(to, from, 4);
  } else {
    std::memcpy(to, from, size_bytes);
  }
}

void copy_blocks(std::byte* to, std::size_t to_stride, const std::byte* from, std::size_t from_stride,
                 std::size_t size_bytes, std::size_t count) {
  switch (size_bytes) {
    case 4:
      return copy_equal_blocks<4>(to, to_stride, from, from_stride, count);
    case 8:
      return copy_equal_blocks<8>(to, to_stride, from, from_stride, count);
    case 16:
      return copy_equal_blocks<16>(to, to_stride, from, from_stride, count);
    default:
      for (; count > 0; --count, to += to_stride, from += from_stride) std::memcpy(to, from, size_bytes);
  }
}

void accumulate(std::byte* to, const std::byte* from, std::size_t size_bytes, const Scale& scale, int& lock) {
  switch (scale.type) {
    case ElementType::int32:
      return accumulate_as<std::int32_t>(to, from, size_bytes, scale, lock);
    case ElementType::int64:
      return accumulate_as<std::int64_t>(to, from, size_bytes, scale, lock);
    case ElementType::float32:
      return accumulate_as<float>(to, from, size_bytes, scale, lock);
    case ElementType::float64:
      return accumulate_as<double>(to, from, size_bytes, scale, lock);
    case ElementType::complex64:
      return accumulate_as<std::complex<float>, float>(to, from, size_bytes, scale, lock);
    case ElementType::complex128:
      return accumulate_as<std::complex<double>, double>(to, from, size_bytes, scale, lock);
  }
}

std::uint64_t update(std::byte* place, stretto::detail::AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::size_t size_bytes) {
  return size_bytes == 4 ? update_as<std::uint32_t>(place, operation, operand, expected)
                         : update_as<std::uint64_t>(place, operation, operand, expected);
}

void raise_flag(std::byte* place, std::uint64_t value, bool add, std::size_t size_bytes) {
  if (size_bytes == sizeof(std::uint32_t)) {
    raise_as(place, static_cast<std::uint32_t>(value), add);
  } else {
    raise_as(place, value, add);
  }
}

std::uint64_t read_flag(const std::byte* place) {
  mpi::delay_point();
  auto& flag = *const_cast<std::uint64_t*>(reinterpret_cast<const std::uint64_t*>(place));
  return std::atomic_ref<std::uint64_t>(flag).load(std::memory_order_acquire);
}

}  // namespace stretto::onesided
