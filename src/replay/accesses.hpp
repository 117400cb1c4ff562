// SPDX-License-Identifier: BSD-3-Clause
// The one-sided operations of a trace by their target. A target's own trace has nothing of them, but its
// card, or its processor, takes part in each.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "record/trace_format.hpp"
#include "replay/one_sided_calls.hpp"
#include "replay/spillable_column.hpp"

namespace stretto::replay {

/// The messages of an operation: a request to the target, with the data of a put, and its reply, with the
/// data of a get.
struct RemoteAccess {
  std::uint64_t request_bytes = 0;
  std::uint64_t reply_bytes = 0;
  std::uint32_t origin = 0;
  std::uint32_t target = 0;
  std::uint32_t thread = 0;  ///< of the origin
};

class Accesses {
 public:
  /// Reads the operations of all ranks. `by_ranks`: see TraceOptions. Throws TraceError.
  Accesses(const std::vector<std::filesystem::path>& files, bool by_ranks);

  /// Those of a target; those of a thread of an origin are in their order.
  [[nodiscard]] std::span<const RemoteAccess> on(std::uint32_t target) const;

 private:
  SpillableColumn<RemoteAccess> all_;  // by target
  std::vector<std::size_t> first_;     // per target, and one past the last
};

/// Whether the request of a get has as many bytes as its reply, where ranks move the data. Open MPI 5 sends
/// the buffer of its active messages as it has allocated it for the data.
[[nodiscard]] bool pads_gets(const TraceReader& reader);

/// The messages of a record; false: the call is none that accesses memory of one of `ranks` ranks. `padded`:
/// the requests of gets are.
[[nodiscard]] bool access_of(const OneSidedCall& call, const record::Record& record, std::uint32_t ranks,
                             bool padded, RemoteAccess& access);

}  // namespace stretto::replay
