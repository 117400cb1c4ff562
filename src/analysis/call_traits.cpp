// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/call_traits.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace stretto::analysis {
namespace {

using namespace std::string_view_literals;

bool is_among(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

bool is_collective(std::string_view kind) {
  return is_among(kind, {"collective", "gather", "scatter", "neighbor"});
}

std::optional<Side> blocking_side(std::string_view kind) {
  if (is_among(kind, {"send", "sendrecv", "sendrecv_replace"})) return Side::send;
  if (is_among(kind, {"recv", "mrecv"})) return Side::receive;
  if (is_collective(kind)) return Side::collective;
  return {};
}

std::optional<Side> nonblocking_side(std::string_view kind) {
  if (is_among(kind, {"isend", "isendrecv", "isendrecv_replace"})) return Side::send;
  if (is_among(kind, {"irecv", "imrecv"})) return Side::receive;
  if (kind == "one_sided") return Side::one_sided;
  if (kind.starts_with('i') && is_collective(kind.substr(1))) return Side::collective;
  return {};
}

bool ends_accesses(std::string_view name) {
  constexpr auto before = "MPI_Win_"sv;
  return name.starts_with(before) &&
         is_among(name.substr(before.size()), {"fence", "complete", "unlock", "unlock_all", "flush",
                                               "flush_all", "flush_local", "flush_local_all"});
}

CallTraits traits_of_call(const replay::TracedCall& call) {
  CallTraits traits{.name = call.name, .role = Role::call};
  if (call.kind == "request_free") traits.role = Role::free_request;
  traits.blocking = blocking_side(call.kind);
  traits.nonblocking = nonblocking_side(call.kind);
  const std::optional<Side> side = traits.blocking ? traits.blocking : traits.nonblocking;
  traits.has_peer = side && side != Side::collective;
  traits.ends_accesses = ends_accesses(call.name);
  traits.ends_of_one_target = call.kind == "synchronise_with";
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
  constexpr std::string_view all[] = {"MPI_Get", "MPI_Rget", "MPI_Fetch", "MPI_Compare"};
  return std::any_of(std::begin(all), std::end(all),
                     [&](std::string_view one) { return call.starts_with(one); });
}

}  // namespace stretto::analysis
