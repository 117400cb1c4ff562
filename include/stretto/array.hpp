// SPDX-License-Identifier: BSD-3-Clause
// A distributed array in equal blocks, one for each rank of a team, and pointers to its elements. A thin
// layer over a region: every access is a put, a get or an accumulate of stretto/transfer.hpp, and completes
// and is ordered as these. What does not exist is an ArgumentError `index`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stretto/accumulate.hpp>
#include <stretto/checked_size.hpp>
#include <stretto/element.hpp>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <string>
#include <type_traits>

namespace stretto {

/// A plain value in a region, on any rank. Arithmetic stays within the rank's part.
template <typename T>
class GlobalPointer {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved as bytes");

 public:
  GlobalPointer(const Region& region, Place place) : region_(&region), place_(place) {}

  [[nodiscard]] int rank() const { return place_.target; }
  [[nodiscard]] Place place() const { return place_; }
  [[nodiscard]] T get() const { return get_value<T>(*region_, place_); }
  void put(const T& value) const { put_value(*region_, place_, value); }
  /// The element in this process where it is node-local, else nullptr; also the end of the rank's part.
  /// Source: as Region::node_local_pointer.
  [[nodiscard]] T* node_local() const {
    if (place_.offset > region_->size_bytes(place_.target)) {
      throw ArgumentError("place", "is beyond the part of rank " + std::to_string(place_.target));
    }
    std::byte* const part = region_->node_local_pointer(place_.target);
    return part == nullptr ? nullptr : reinterpret_cast<T*>(part + place_.offset);
  }

  [[nodiscard]] GlobalPointer operator+(std::ptrdiff_t elements) const {
    std::ptrdiff_t bytes = 0;
    std::ptrdiff_t offset = 0;  // one below 0 is refused where it is used
    if (__builtin_mul_overflow(elements, static_cast<std::ptrdiff_t>(sizeof(T)), &bytes) ||
        __builtin_add_overflow(static_cast<std::ptrdiff_t>(place_.offset), bytes, &offset)) {
      detail::refuse_size("elements");
    }
    return {*region_, {.target = place_.target, .offset = static_cast<std::size_t>(offset)}};
  }

 private:
  const Region* region_;
  Place place_;
};

template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved as bytes");

 public:
  /// `size` zeroed elements; the first ranks have size / ranks of them, rounded up. Collective.
  Array(const Runtime& runtime, std::size_t size) : Array(runtime.world(), size) {}
  Array(const Team& team, std::size_t size)
      : size_(size), block_(block_of(size, team.size())), region_(team, bytes_of(team, size, block_)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Elements of each rank but the last ones.
  [[nodiscard]] std::size_t block_size() const { return block_; }
  [[nodiscard]] const Region& region() const { return region_; }
  /// The rank that has the element.
  [[nodiscard]] int owner(std::size_t index) const { return place(index).target; }
  /// This rank's elements, and the index of the first.
  [[nodiscard]] std::span<T> local() const { return region_.template local_as<T>(); }
  [[nodiscard]] std::size_t first_local() const { return first_of(region_.rank()); }
  /// The elements of a rank, and the index of the first.
  [[nodiscard]] std::size_t elements_of(int rank) const { return elements_of(size_, block_, rank); }
  [[nodiscard]] std::size_t first_of(int rank) const {
    return std::min(size_, block_ * static_cast<std::size_t>(rank));
  }
  [[nodiscard]] GlobalPointer<T> pointer(std::size_t index) const { return {region_, place(index)}; }

  [[nodiscard]] T get(std::size_t index) const { return get_value<T>(region_, place(index)); }
  void put(std::size_t index, const T& value) const { put_value(region_, place(index), value); }

  // Of consecutive elements, which may be on several ranks.
  void get(std::size_t first, std::span<T> values) const {
    using Part = std::span<T>;
    for_each_block(
        first, values, [&](Place place, Part part) { detail::check_get(region_, place, part); },
        [&](Place place, Part part) { stretto::get(region_, place, part); });
  }
  void put(std::size_t first, std::span<const T> values) const {
    using Part = std::span<const T>;
    for_each_block(
        first, values, [&](Place place, Part part) { detail::check_put(region_, place, part); },
        [&](Place place, Part part) { stretto::put(region_, place, part); });
  }
  /// Adds factor * values[i] to each element.
  void accumulate(std::size_t first, std::span<const T> values, T factor = T{1}) const requires Element<T> {
    using Part = std::span<const T>;
    const Scale scale = Scale::of(factor);
    for_each_block(
        first, values, [&](Place place, Part part) { detail::check_accumulate(region_, place, part, scale); },
        [&](Place place, Part part) { stretto::accumulate(region_, place, part, scale); });
  }

  /// Collective, as Region::free.
  void free() { region_.free(); }

 private:
  static std::size_t block_of(std::size_t size, int ranks) {
    const auto parts = static_cast<std::size_t>(ranks);
    return std::max(std::size_t{1}, size / parts + (size % parts == 0 ? 0 : 1));
  }
  static std::size_t elements_of(std::size_t size, std::size_t block, int rank) {
    const std::size_t first = std::min(size, block * static_cast<std::size_t>(rank));
    return std::min(block, size - first);
  }

  /// Of this rank's part. Throws on all ranks where a block is too large on one.
  static std::size_t bytes_of(const Team& team, std::size_t size, std::size_t block) {
    detail::agree(
        team, [&] { detail::check_object_size("size", detail::checked_product("size", block, sizeof(T))); });
    return elements_of(size, block, team.rank()) * sizeof(T);
  }

  void check(std::size_t first, std::size_t count) const {
    if (first <= size_ && count <= size_ - first) return;
    throw ArgumentError("index", std::to_string(first) + " and " + std::to_string(count) +
                                     " elements from there are not within the array of " +
                                     std::to_string(size_));
  }

  [[nodiscard]] Place place(std::size_t index) const {
    check(index, 1);
    return {.target = static_cast<int>(index / block_), .offset = index % block_ * sizeof(T)};
  }

  /// Visits all blocks where none is refused: then no byte has moved.
  template <typename Values, typename Check, typename Visit>
  void for_each_block(std::size_t first, Values values, Check&& check_block, Visit&& visit) const {
    check(first, values.size());
    if (values.size() > block_ - first % block_) for_each_part(first, values, check_block);
    for_each_part(first, values, visit);
  }

  template <typename Values, typename Visit>
  void for_each_part(std::size_t first, Values values, Visit& visit) const {
    while (!values.empty()) {
      const std::size_t count = std::min(values.size(), block_ - first % block_);
      visit(place(first), values.first(count));
      values = values.subspan(count);
      first += count;
    }
  }

  std::size_t size_;
  std::size_t block_;
  Region region_;
};

}  // namespace stretto
