// SPDX-License-Identifier: BSD-3-Clause
#include "replay/one_sided_calls.hpp"

#include <algorithm>
#include <iterator>

namespace stretto::replay {
namespace {

// clang-format off
constexpr OneSidedCall calls[] = {
    {.name = "Put", .access = Access::put},
    {.name = "Accumulate", .access = Access::put},
    {.name = "Get", .access = Access::get},
    {.name = "Get_accumulate", .access = Access::both},
    {.name = "Fetch_and_op", .access = Access::both},
    {.name = "Compare_and_swap", .access = Access::both},
    {.name = "Win_fence", .until = Until::remote, .joins = true},
    {.name = "Win_flush", .until = Until::remote},
    {.name = "Win_flush_all", .until = Until::remote},
    {.name = "Win_flush_local", .until = Until::local},
    {.name = "Win_flush_local_all", .until = Until::local},
    {.name = "Win_lock", .locks = true},
    {.name = "Win_lock_all"},
    {.name = "Win_unlock", .until = Until::remote},
    {.name = "Win_unlock_all", .until = Until::remote},
    {.name = "Win_post", .epoch = Epoch::post},
    {.name = "Win_start", .epoch = Epoch::start},
    {.name = "Win_complete", .until = Until::local, .epoch = Epoch::complete},
    {.name = "Win_wait", .epoch = Epoch::wait},
    {.name = "Win_test", .epoch = Epoch::wait},
    {.name = "Win_create", .joins = true},
    {.name = "Win_allocate", .joins = true},
    {.name = "Win_allocate_shared", .joins = true},
    {.name = "Win_create_dynamic", .joins = true},
    {.name = "Win_free", .until = Until::remote, .joins = true},
};
// clang-format on

}  // namespace

const OneSidedCall* one_sided_call(const TracedCall& call) {
  std::string_view name = call.name;
  if (!name.starts_with("MPI_")) return nullptr;
  name.remove_prefix(4);
  if (name.ends_with("_c")) name.remove_suffix(2);
  // MPI_Rput is MPI_Put with a request; MPI_Recv is not one-sided.
  const bool with_request = call.kind == "one_sided" && name.starts_with('R');
  const auto* const found = std::ranges::find_if(calls, [&](const OneSidedCall& one) {
    if (!with_request) return one.name == name;
    return one.name.size() + 1 == name.size() && one.name.substr(1) == name.substr(2) &&
           (one.name[0] | 0x20) == name[1];
  });
  return found == std::end(calls) ? nullptr : found;
}

}  // namespace stretto::replay
