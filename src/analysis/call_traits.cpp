// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/call_traits.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "replay/call_kinds.hpp"

namespace stretto::analysis {
namespace {

using namespace std::string_view_literals;
using replay::KindTraits;
using replay::Moves;
using replay::Probing;

bool is_among(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

std::optional<Side> side_of(Moves moves) {
  switch (moves) {
    case Moves::sends:
    case Moves::both:
      return Side::send;
    case Moves::receives:
      return Side::receive;
    case Moves::collective:
    case Moves::neighbours:
      return Side::collective;
    case Moves::one_sided:
      return Side::one_sided;
    default:
      return {};
  }
}

bool ends_accesses(std::string_view name) {
  constexpr auto before = "MPI_Win_"sv;
  return name.starts_with(before) &&
         is_among(name.substr(before.size()), {"fence", "complete", "unlock", "unlock_all", "flush",
                                               "flush_all", "flush_local", "flush_local_all"});
}

Matching matching_of(const KindTraits& kind) {
  if (kind.probing == Probing::probes) return Matching::probes;
  if (kind.probing == Probing::receives_probed)
    return kind.blocks() ? Matching::takes_probed : Matching::none;
  if (kind.sends()) return kind.blocks() ? Matching::sends : Matching::starts_send;
  if (kind.moves != Moves::receives) return Matching::none;
  return kind.blocks() ? Matching::receives : Matching::posts;
}

bool begins_with(std::string_view name, std::initializer_list<std::string_view> all) {
  return std::ranges::any_of(all, [&](std::string_view one) { return name.starts_with(one); });
}

Spends spends_of(const replay::TracedCall& call, const KindTraits& kind) {
  if (call.kind == "plain") return Spends::nothing;
  const bool waits =
      kind.waits || begins_with(call.name, {"MPI_Wait", "MPI_Test", "MPI_Probe", "MPI_Mprobe", "MPI_Win_"});
  return waits ? Spends::waiting : Spends::itself;
}

WaitsFor waits_for(std::string_view name) {
  if (begins_with(name, {"MPI_Bcast", "MPI_Scatter"})) return WaitsFor::root;
  const bool to_root = begins_with(name, {"MPI_Gather", "MPI_Reduce"}) && !begins_with(name, {"MPI_Reduce_"});
  return to_root ? WaitsFor::root_for_all : WaitsFor::all;
}

Bound bound_of(std::string_view name) {
  if (is_among(name, {"MPI_Init", "MPI_Init_thread"})) return Bound::initialises;
  if (name == "MPI_Session_init") return Bound::begins_session;
  return is_among(name, {"MPI_Finalize", "MPI_Session_finalize"}) ? Bound::finalises : Bound::none;
}

CallTraits traits_of_call(const replay::TracedCall& call) {
  const KindTraits& kind = replay::traits_of_kind(call.kind);
  CallTraits traits{.name = call.name, .kind = call.kind, .role = Role::call};
  if (call.kind == "request_free") traits.role = Role::free_request;
  if (kind.blocks()) traits.blocking = side_of(kind.moves);
  if (kind.starts()) traits.nonblocking = side_of(kind.moves);
  const std::optional<Side> side = traits.blocking ? traits.blocking : traits.nonblocking;
  traits.has_peer = side && side != Side::collective;
  traits.ends_accesses = ends_accesses(call.name);
  traits.ends_of_one_target = call.kind == "synchronise_with";
  traits.matching = matching_of(kind);
  traits.half_posts = kind.starts() && kind.sends();
  traits.spends = spends_of(call, kind);
  traits.is_collective = kind.moves == Moves::collective && kind.ends != replay::Ends::of_later_starts;
  traits.waits_for = waits_for(call.name);
  traits.bound = bound_of(call.name);
  return traits;
}

}  // namespace

std::vector<CallTraits> traits_of(const std::vector<replay::TracedCall>& calls) {
  std::vector<CallTraits> all(record::first_call);
  all[record::completion].role = Role::completion;
  all[record::receive_half] = {.role = Role::receive_half, .has_peer = true};
  all[record::started] = {.name = "MPI_Start", .role = Role::started, .has_peer = true};
  all[record::produced].role = all[record::consumed].role = Role::data;
  all[record::region].role = Role::region;
  all.reserve(all.size() + calls.size());
  for (const replay::TracedCall& call : calls) all.push_back(traits_of_call(call));
  return all;
}

bool fetches(const std::string& call) {
  return begins_with(call, {"MPI_Get", "MPI_Rget", "MPI_Fetch", "MPI_Compare"});
}

}  // namespace stretto::analysis
