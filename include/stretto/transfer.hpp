// SPDX-License-Identifier: BSD-3-Clause
// Put and get, of every shape, blocking, nonblocking with an explicit handle, and implicit.
//
// All throw before any byte moves: ArgumentError for a target out of range, a place beyond the target's part,
// a source that overlaps its destination, or a shape that is not one; FinalizedError when the region was
// freed or the runtime finalized. Blocking operations return when they are complete at this rank; those to
// one target take effect in order. Nonblocking and implicit ones return when they have started; they are not
// ordered, and the caller must keep the data until they are waited for.
#pragma once

#include <span>
#include <stretto/element.hpp>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>
#include <type_traits>

namespace stretto {

void put(const Region& region, Place place, Source source);
void put(const Region& region, Place place, const void* source, const Strided& shape);
void put(const Region& region, int target, std::span<const PutPiece> pieces);

void get(const Region& region, Place place, Sink sink);
void get(const Region& region, Place place, void* sink, const Strided& shape);
void get(const Region& region, int target, std::span<const GetPiece> pieces);

/// One plain value.
template <typename T>
void put_value(const Region& region, Place place, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "values are moved as bytes");
  put(region, place, Source(&value, sizeof value));
}
template <typename T>
[[nodiscard]] T get_value(const Region& region, Place place) {
  static_assert(std::is_trivially_copyable_v<T>, "values are moved as bytes");
  T value{};
  get(region, place, Sink(&value, sizeof value));
  return value;
}

namespace detail {
// They throw what put, get and accumulate would throw, and move nothing: before the first of several
// transfers that are one operation.
void check_put(const Region& region, Place place, Source source);
void check_get(const Region& region, Place place, Sink sink);
void check_accumulate(const Region& region, Place place, Source source, const Scale& scale);
}  // namespace detail

namespace nonblocking {
Handle put(const Region& region, Place place, Source source);
Handle put(const Region& region, Place place, const void* source, const Strided& shape);
Handle put(const Region& region, int target, std::span<const PutPiece> pieces);

Handle get(const Region& region, Place place, Sink sink);
Handle get(const Region& region, Place place, void* sink, const Strided& shape);
Handle get(const Region& region, int target, std::span<const GetPiece> pieces);
}  // namespace nonblocking

/// Completed by Runtime::wait_implicit, for one target or for all.
namespace implicit {
void put(const Region& region, Place place, Source source);
void put(const Region& region, Place place, const void* source, const Strided& shape);
void put(const Region& region, int target, std::span<const PutPiece> pieces);

void get(const Region& region, Place place, Sink sink);
void get(const Region& region, Place place, void* sink, const Strided& shape);
void get(const Region& region, int target, std::span<const GetPiece> pieces);
}  // namespace implicit

}  // namespace stretto
