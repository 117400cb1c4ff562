// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/protocol.hpp>
#include <stretto/region.hpp>

#include "onesided/api/access.hpp"
#include "onesided/memory/region_state.hpp"
#include "onesided/path/explain_path.hpp"

namespace stretto {
namespace {

onesided::OperationKind kind_of(OperationClass operation) {
  if (operation == OperationClass::get) return onesided::OperationKind::get;
  if (operation == OperationClass::update) return onesided::OperationKind::atomic;
  return onesided::OperationKind::put;
}

}  // namespace

ProtocolChoice protocol_of(const Region& region, const ProtocolQuery& query) {
  const onesided::RegionState& state = *onesided::Access::state(region);
  state.check_range(query.target, 0);
  const onesided::RuntimeState& runtime = state.runtime();
  const std::size_t together = query.row_bytes == 0 ? query.size_bytes : query.row_bytes;
  return onesided::explain_path(runtime.rules,
                                {.kind = kind_of(query.operation),
                                 .contiguous = query.row_bytes == 0 || query.row_bytes >= query.size_bytes,
                                 .flagged = query.operation == OperationClass::put_signal,
                                 .large = together / 2 >= runtime.options.segment_bytes,
                                 .node_local = state.memory->node_local(query.target) != nullptr},
                                runtime.progress == Progress::thread);
}

}  // namespace stretto
