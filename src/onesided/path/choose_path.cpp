// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/path/choose_path.hpp"

#include <stretto/error.hpp>

namespace stretto {

std::string_view to_string(Path path) {
  switch (path) {
    case Path::direct:
      return "direct";
    case Path::rma:
      return "rma";
    case Path::message:
      break;
  }
  return "message";
}

std::string_view to_string(Progress progress) {
  switch (progress) {
    case Progress::none:
      return "none";
    case Progress::poll:
      return "poll";
    case Progress::thread:
      break;
  }
  return "thread";
}

}  // namespace stretto

namespace stretto::onesided {

Path choose_path(const PathRules& rules, const PathQuery& query) {
  // A flag behind large data: the data needs no copy, and the flag follows it by message.
  const bool by_rma = rules.forced ? *rules.forced == Path::rma : rules.contiguous == Path::rma;
  const bool put = query.kind == OperationKind::put;
  if (query.flagged && put && query.large && !query.node_local && by_rma && rules.rma_works) return Path::rma;
  // Updates and flags of a region have one mechanism, the processor's atomics, whatever path is forced.
  const bool one_mechanism =
      query.kind == OperationKind::accumulate || query.kind == OperationKind::atomic || query.flagged;
  const bool forced = rules.forced.has_value() && !(one_mechanism && rules.forced == Path::rma);
  if (forced) {
    if (*rules.forced == Path::direct && !query.node_local) {
      throw ArgumentError("target",
                          "path direct is forced, but this rank's memory is not shared with the caller");
    }
    return *rules.forced;
  }
  if (query.node_local) return Path::direct;
  const bool packed = !query.contiguous && !query.large;
  if (one_mechanism || packed || !rules.rma_works) return Path::message;
  return rules.contiguous;
}

}  // namespace stretto::onesided
