// SPDX-License-Identifier: BSD-3-Clause
#include "replay/call_kinds.hpp"

#include <algorithm>
#include <iterator>

namespace stretto::replay {
namespace {

constexpr auto with_request = Ends::with_request;
constexpr auto of_later_starts = Ends::of_later_starts;

// clang-format off
constexpr KindTraits kinds[] = {
    {.name = "plain", .computes = true},
    {.name = "without_message", .waits = true, .computes = true},
    {.name = "send", .moves = Moves::sends, .waits = true},
    {.name = "recv", .moves = Moves::receives, .waits = true},
    {.name = "sendrecv", .moves = Moves::both, .waits = true},
    {.name = "sendrecv_replace", .moves = Moves::both, .waits = true},
    {.name = "isend", .moves = Moves::sends, .ends = with_request},
    {.name = "irecv", .moves = Moves::receives, .ends = with_request},
    {.name = "isendrecv", .moves = Moves::both, .ends = with_request},
    {.name = "isendrecv_replace", .moves = Moves::both, .ends = with_request},
    {.name = "probe", .waits = true},
    {.name = "mprobe", .probing = Probing::probes, .waits = true},
    {.name = "improbe", .ends = with_request, .probing = Probing::probes},
    {.name = "mrecv", .moves = Moves::receives, .probing = Probing::receives_probed, .waits = true},
    {.name = "imrecv", .moves = Moves::receives, .ends = with_request, .probing = Probing::receives_probed},
    {.name = "collective", .moves = Moves::collective, .waits = true},
    {.name = "gather", .moves = Moves::collective, .waits = true},
    {.name = "scatter", .moves = Moves::collective, .waits = true},
    {.name = "neighbor", .moves = Moves::neighbours, .waits = true, .computes = true},
    {.name = "icollective", .moves = Moves::collective, .ends = with_request},
    {.name = "igather", .moves = Moves::collective, .ends = with_request},
    {.name = "iscatter", .moves = Moves::collective, .ends = with_request},
    {.name = "ineighbor", .moves = Moves::neighbours, .ends = with_request, .computes = true},
    {.name = "collective_init", .moves = Moves::collective, .ends = of_later_starts},
    {.name = "gather_init", .moves = Moves::collective, .ends = of_later_starts},
    {.name = "scatter_init", .moves = Moves::collective, .ends = of_later_starts},
    {.name = "neighbor_init", .moves = Moves::neighbours, .ends = of_later_starts},
    {.name = "one_sided", .moves = Moves::one_sided, .ends = with_request, .computes = true},
    {.name = "synchronise", .waits = true, .computes = true},
    {.name = "synchronise_with", .waits = true, .computes = true},
    {.name = "synchronise_group", .waits = true, .computes = true},
};
// clang-format on
constexpr KindTraits other{.name = ""};

}  // namespace

const KindTraits& traits_of_kind(std::string_view kind) {
  const auto* const found = std::ranges::find(kinds, kind, &KindTraits::name);
  return found == std::end(kinds) ? other : *found;
}

}  // namespace stretto::replay
