// SPDX-License-Identifier: BSD-3-Clause
// What the opaque types of stretto.h are.
#pragma once

#include <stretto/stretto.h>

#include <cstddef>
#include <memory>
#include <stretto/aggregate.hpp>
#include <stretto/handle.hpp>
#include <stretto/mutexes.hpp>
#include <stretto/region.hpp>
#include <stretto/remote_function.hpp>
#include <stretto/runtime.hpp>
#include <stretto/shape.hpp>
#include <stretto/team.hpp>
#include <stretto/team_collective.hpp>
#include <utility>

#include "bindings/boundary.hpp"

struct stretto_runtime {
  stretto::Runtime runtime;
};
struct stretto_team {
  stretto::Team team;
};
struct stretto_region {
  stretto::Region region;
};
struct stretto_handle {
  stretto::Handle handle;
};
struct stretto_aggregate {
  stretto::Aggregate aggregate;
};
struct stretto_mutexes {
  stretto::Mutexes mutexes;
};
struct stretto_request {
  stretto::TeamRequest request;
};
struct stretto_remote_function {
  stretto::RemoteFunction function;
};

namespace stretto::bindings {

inline const Team& team_of(const stretto_team* team) { return given(team, "team").team; }
inline const Region& region_of(const stretto_region* region) { return given(region, "region").region; }
inline Runtime& runtime_of(stretto_runtime* runtime) { return given(runtime, "runtime").runtime; }
inline const Runtime& runtime_of(const stretto_runtime* runtime) { return given(runtime, "runtime").runtime; }

/// Calls `start`, and gives its handle to the caller.
template <typename Start>
int started(stretto_handle** handle, Start&& start) noexcept {
  return guarded([&] {
    stretto_handle*& result = given(handle, "handle");
    auto object = std::make_unique<stretto_handle>();  // first: then a failure leaves nothing pending
    object->handle = std::forward<Start>(start)();
    result = object.release();
  });
}

/// Throws ArgumentError for levels below 0 and for arrays that are NULL.
inline Strided strided(int levels, const std::size_t* counts, const std::size_t* local_strides,
                       const std::size_t* remote_strides) {
  if (levels < 0) throw ArgumentError("levels", std::to_string(levels) + " is less than 0");
  const auto strides = static_cast<std::size_t>(levels);
  return {.counts = {given_array(counts, 1, "counts"), strides + 1},
          .local_strides = {given_array(local_strides, strides, "local_strides"), strides},
          .remote_strides = {given_array(remote_strides, strides, "remote_strides"), strides}};
}

template <typename Piece, typename CPiece>
std::span<const Piece> same_pieces(const CPiece* pieces, std::size_t count) {
  static_assert(sizeof(Piece) == sizeof(CPiece) && offsetof(Piece, offset) == offsetof(CPiece, offset) &&
                offsetof(Piece, size_bytes) == offsetof(CPiece, size_bytes));
  return {reinterpret_cast<const Piece*>(given_array(pieces, count, "pieces")), count};
}
inline std::span<const PutPiece> pieces_of(const stretto_put_piece* pieces, std::size_t count) {
  return same_pieces<PutPiece>(pieces, count);
}
inline std::span<const GetPiece> pieces_of(const stretto_get_piece* pieces, std::size_t count) {
  return same_pieces<GetPiece>(pieces, count);
}

}  // namespace stretto::bindings
