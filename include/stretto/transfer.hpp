// SPDX-License-Identifier: BSD-3-Clause
// Put and get, of every shape, blocking, nonblocking with an explicit handle, and implicit.
//
// All throw ArgumentError before any byte moves: a target out of range, a place that reaches beyond the
// target's part, source and destination that overlap, a shape that is none; FinalizedError when the region or
// the runtime is gone. Blocking ones return when complete here; to one target they take effect in order.
// Nonblocking and implicit ones have started when they return; they are not ordered, and leave the data in
// the caller's hands until they are waited for.
#pragma once

#include <cstring>
#include <span>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

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
  put(region, place, Source(&value, sizeof value));
}
template <typename T>
[[nodiscard]] T get_value(const Region& region, Place place) {
  T value{};
  get(region, place, Sink(&value, sizeof value));
  return value;
}

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
