// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/path/explain_path.hpp"

namespace stretto {

std::string_view to_string(Protocol protocol) {
  switch (protocol) {
    case Protocol::direct:
      return "direct";
    case Protocol::rma:
      return "rma";
    case Protocol::eager:
      return "eager";
    case Protocol::rendezvous:
      break;
  }
  return "rendezvous";
}

}  // namespace stretto

namespace stretto::onesided {
namespace {

ProtocolChoice explain_message(const PathRules& rules, const PathQuery& query, bool receives_segments) {
  const bool update = query.kind == OperationKind::accumulate || query.kind == OperationKind::atomic;
  if (update) return {Protocol::eager, "the target's runtime carries out all updates, so that none is lost"};
  if (!query.large) {
    return {Protocol::eager, query.contiguous ? "the data is shorter than two segments"
                                              : "rows shorter than two segments are packed"};
  }
  if (query.kind == OperationKind::get) {
    return {Protocol::rendezvous, "each segment of a large get is answered from where it is"};
  }
  if (!receives_segments) {
    return {Protocol::eager, "no progress thread at the target would receive the segments of a large put"};
  }
  if (query.flagged) {
    return {Protocol::rendezvous, "large blocks without a copy; the flag is raised behind the last segment"};
  }
  return {Protocol::rendezvous,
          rules.rma_works ? "large blocks without a copy, which the target's progress thread receives"
                          : "large blocks without a copy; this MPI has no windows over this network"};
}

}  // namespace

ProtocolChoice explain_path(const PathRules& rules, const PathQuery& query, bool receives_segments) {
  switch (choose_path(rules, query)) {
    case Path::direct:
      return {Protocol::direct, "the target's memory is mapped into this process"};
    case Path::rma:
      if (query.flagged) {
        return {Protocol::rma, "large blocks by MPI_Put; after a flush the flag follows by message"};
      }
      return {Protocol::rma, rules.forced ? "Options::path forces it"
                                          : "Options::contiguous, or progress without a thread, chooses it"};
    case Path::message:
      break;
  }
  return explain_message(rules, query, receives_segments);
}

}  // namespace stretto::onesided
