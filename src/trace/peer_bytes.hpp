// SPDX-License-Identifier: BSD-3-Clause
// Numbers for what collectives with counts exchange with each rank. Programs mostly repeat the same counts,
// so a call refers to them by number. A definition is no longer than records of the messages would be.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace stretto::trace {

class Stream;

/// All threads may call at once.
class PeerBytes {
 public:
  /// The number of these bytes, which are one value for each rank, and none for a side without counts; 0: all
  /// are equal. Writes the definition of new ones, and of those that `stream` lacks, to it.
  std::int32_t number_of(const std::vector<std::uint64_t>& sent, const std::vector<std::uint64_t>& received,
                         Stream& stream);

 private:
  using Sides = std::pair<std::vector<std::uint64_t>, std::vector<std::uint64_t>>;

  std::mutex mutex_;
  std::map<Sides, std::int32_t> known_;  // the latest
  std::int32_t last_number_ = 0;
};

}  // namespace stretto::trace
