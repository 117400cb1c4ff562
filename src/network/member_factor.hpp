// SPDX-License-Identifier: BSD-3-Clause
// The factors of p in a term of a runtime function: their names in a profile, and their values. A new factor
// is an enumerator and a line of the table here.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "network/contention.hpp"

namespace stretto::network {

enum class MemberFactor : std::uint8_t {
  one,
  p,
  p_minus_1,
  log2,
  ceil_log2,
  floor_log2_less_1,  ///< floor(log2(p - 1)): table 1, reduce
  p_log2,
  p_ceil_log2,
  tree_sends,  ///< sends on the longest path of a binomial tree: n (n + 1) / 2 for p = 2^n
  // These depend on the messages of a reference algorithm and on their concurrency (contention.hpp):
  overheads,
  links_eager,
  links_serialised,
};

[[nodiscard]] inline double ceil_log2(int p) {
  return p < 2 ? 0 : std::bit_width(static_cast<unsigned>(p - 1));
}
[[nodiscard]] inline double floor_log2(int p) {
  return p < 2 ? 0 : std::bit_width(static_cast<unsigned>(p)) - 1;
}
/// The sends along the path 0 - 1 - 3 - 7 - ... of the tree. Each of these ranks sends to all its children
/// at once. An eager path therefore takes as many message times as its ranks send, instead of one per
/// stage.
[[nodiscard]] inline double tree_sends(int p) {
  int sends = 0;
  for (int i = 0; p - (1 << i) >= (1 << i); ++i) sends += static_cast<int>(floor_log2(p - (1 << i))) - i + 1;
  return sends;
}

struct MemberFactorEntry {
  MemberFactor factor;
  std::string_view name;  ///< in a profile
  double (*of_members)(int p) = nullptr;
  /// Of the messages of a group; null: the factor depends on p alone.
  double (*of_messages)(const GroupedOperation& call, const Torus& torus) = nullptr;
};

inline constexpr auto member_factors = std::to_array<MemberFactorEntry>({
    {MemberFactor::one, "1", [](int) { return 1.0; }},
    {MemberFactor::p, "p", [](int p) { return 1.0 * p; }},
    {MemberFactor::p_minus_1, "p-1", [](int p) { return p - 1.0; }},
    {MemberFactor::log2, "log2-p", [](int p) { return std::log2(p); }},
    {MemberFactor::ceil_log2, "ceil-log2-p", ceil_log2},
    {MemberFactor::floor_log2_less_1, "floor-log2-(p-1)", [](int p) { return floor_log2(p - 1); }},
    {MemberFactor::p_log2, "p-log2-p", [](int p) { return p * std::log2(p); }},
    {MemberFactor::p_ceil_log2, "p-ceil-log2-p", [](int p) { return p * ceil_log2(p); }},
    {MemberFactor::tree_sends, "tree-sends", tree_sends},
    {MemberFactor::overheads, "overheads", nullptr,
     [](const GroupedOperation& call, const Torus&) {
       return 1.0 * overheads(call.operation, call.members);
     }},
    {MemberFactor::links_eager, "links-eager", nullptr,
     [](const GroupedOperation& call, const Torus& torus) { return link_time(call, torus, Sending::eager); }},
    {MemberFactor::links_serialised, "links-in-turn", nullptr,
     [](const GroupedOperation& call, const Torus& torus) {
       return link_time(call, torus, Sending::serialised);
     }},
});

/// The entry of a factor: the table is in the order of the enumerators.
[[nodiscard]] constexpr const MemberFactorEntry& entry_of(MemberFactor factor) {
  return member_factors[static_cast<std::size_t>(factor)];
}

[[nodiscard]] inline bool depends_on_messages(MemberFactor factor) {
  return entry_of(factor).of_messages != nullptr;
}

/// The value of a factor that depends on p alone.
[[nodiscard]] inline double value_of(MemberFactor factor, int p) { return entry_of(factor).of_members(p); }

/// The value of any factor; p is the number of members of a group of `call`.
[[nodiscard]] inline double value_of(MemberFactor factor, const GroupedOperation& call, const Torus& torus) {
  return depends_on_messages(factor) ? entry_of(factor).of_messages(call, torus)
                                     : value_of(factor, call.members);
}

}  // namespace stretto::network
