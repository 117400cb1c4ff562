// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a team.
#include <memory>
#include <stretto/checked_size.hpp>
#include <stretto/team_collective.hpp>
#include <string>

#include "bindings/objects.hpp"

using namespace stretto::bindings;
using stretto::Reduction;
using stretto::Sink;
using stretto::Source;
using stretto::TeamRequest;
using stretto::detail::checked_product;
using stretto::detail::ReducedType;
namespace nonblocking = stretto::nonblocking;

namespace {

static_assert(static_cast<int>(Reduction::sum) == STRETTO_SUM &&
              static_cast<int>(Reduction::product) == STRETTO_PRODUCT &&
              static_cast<int>(Reduction::min) == STRETTO_MIN &&
              static_cast<int>(Reduction::max) == STRETTO_MAX &&
              static_cast<int>(Reduction::bit_and) == STRETTO_BIT_AND &&
              static_cast<int>(Reduction::bit_or) == STRETTO_BIT_OR &&
              static_cast<int>(Reduction::bit_xor) == STRETTO_BIT_XOR &&
              static_cast<int>(Reduction::logical_and) == STRETTO_LOGICAL_AND &&
              static_cast<int>(Reduction::logical_or) == STRETTO_LOGICAL_OR);

struct Elements {
  ReducedType type{};
  std::size_t size_bytes = 0;
};

Elements elements_of(int type) {
  switch (type) {
    case STRETTO_INT32:
      return {ReducedType::int32, 4};
    case STRETTO_INT64:
      return {ReducedType::int64, 8};
    case STRETTO_UINT32:
      return {ReducedType::uint32, 4};
    case STRETTO_UINT64:
      return {ReducedType::uint64, 8};
    case STRETTO_FLOAT32:
      return {ReducedType::float32, 4};
    case STRETTO_FLOAT64:
      return {ReducedType::float64, 8};
    default:
      throw stretto::ArgumentError("type", std::to_string(type) + " is no integer or real type of stretto.h");
  }
}

TeamRequest reduce(const stretto_team* team, const void* mine, void* result, size_t count, int type,
                   int reduction, int root) {
  const Elements elements = elements_of(type);
  const auto chosen = enumerator<Reduction>(reduction, STRETTO_LOGICAL_OR, "reduction");
  const std::size_t size_bytes = checked_product("count", count, elements.size_bytes);
  return stretto::detail::start_reduce(team_of(team), Source(mine, size_bytes), Sink(result, size_bytes),
                                       elements.type, chosen, root);
}

/// A root that the caller names; the runtime's mark for every member is none.
int checked_root(int root) {
  if (root < 0) throw stretto::ArgumentError("root", std::to_string(root) + " is less than 0");
  return root;
}

TeamRequest allgather(const stretto_team* team, const void* mine, size_t size_bytes, void* all) {
  const auto members = static_cast<std::size_t>(team_of(team).size());
  return nonblocking::allgather(team_of(team), Source(mine, size_bytes),
                                Sink(all, checked_product("size_bytes", members, size_bytes)));
}

TeamRequest alltoall(const stretto_team* team, const void* blocks, size_t size_bytes, void* received) {
  const std::size_t all =
      checked_product("size_bytes", static_cast<std::size_t>(team_of(team).size()), size_bytes);
  return nonblocking::alltoall(team_of(team), Source(blocks, all), Sink(received, all));
}

template <typename Start>
int started_request(stretto_request** request, Start&& start) {
  return guarded([&] {
    stretto_request*& result = given(request, "request");
    auto object = std::make_unique<stretto_request>();
    object->request = start();
    result = object.release();
  });
}

}  // namespace

extern "C" {

int stretto_team_broadcast(const stretto_team* team, void* data, size_t size_bytes, int root) {
  return guarded([&] { stretto::broadcast(team_of(team), Sink(data, size_bytes), root); });
}

int stretto_team_reduce(const stretto_team* team, const void* mine, void* result, size_t count, int type,
                        int reduction, int root) {
  return guarded([&] { reduce(team, mine, result, count, type, reduction, checked_root(root)).wait(); });
}

int stretto_team_allreduce(const stretto_team* team, const void* mine, void* result, size_t count, int type,
                           int reduction) {
  return guarded(
      [&] { reduce(team, mine, result, count, type, reduction, stretto::detail::every_member).wait(); });
}

int stretto_team_allgather(const stretto_team* team, const void* mine, size_t size_bytes, void* all) {
  return guarded([&] { allgather(team, mine, size_bytes, all).wait(); });
}

int stretto_team_alltoall(const stretto_team* team, const void* blocks, size_t size_bytes, void* received) {
  return guarded([&] { alltoall(team, blocks, size_bytes, received).wait(); });
}

int stretto_nonblocking_team_barrier(const stretto_team* team, stretto_request** request) {
  return started_request(request, [&] { return nonblocking::barrier(team_of(team)); });
}

int stretto_nonblocking_team_broadcast(const stretto_team* team, void* data, size_t size_bytes, int root,
                                       stretto_request** request) {
  return started_request(request,
                         [&] { return nonblocking::broadcast(team_of(team), Sink(data, size_bytes), root); });
}

int stretto_nonblocking_team_reduce(const stretto_team* team, const void* mine, void* result, size_t count,
                                    int type, int reduction, int root, stretto_request** request) {
  return started_request(
      request, [&] { return reduce(team, mine, result, count, type, reduction, checked_root(root)); });
}

int stretto_nonblocking_team_allreduce(const stretto_team* team, const void* mine, void* result, size_t count,
                                       int type, int reduction, stretto_request** request) {
  return started_request(request, [&] {
    return reduce(team, mine, result, count, type, reduction, stretto::detail::every_member);
  });
}

int stretto_nonblocking_team_allgather(const stretto_team* team, const void* mine, size_t size_bytes,
                                       void* all, stretto_request** request) {
  return started_request(request, [&] { return allgather(team, mine, size_bytes, all); });
}

int stretto_nonblocking_team_alltoall(const stretto_team* team, const void* blocks, size_t size_bytes,
                                      void* received, stretto_request** request) {
  return started_request(request, [&] { return alltoall(team, blocks, size_bytes, received); });
}

int stretto_request_wait(stretto_request** request) {
  return guarded([&] {
    stretto_request*& object = given(request, "request");
    if (object == nullptr) return;
    object->request.wait();
    release(object);
  });
}

int stretto_request_test(stretto_request** request, int* complete) {
  return guarded([&] {
    stretto_request*& object = given(request, "request");
    int& result = given(complete, "complete");
    const bool done = object == nullptr || object->request.test();
    if (done) release(object);
    result = done ? 1 : 0;
  });
}
}
