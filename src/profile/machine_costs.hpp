// SPDX-License-Identifier: BSD-3-Clause
// What a profile says of one kind of transfer and of transforms: the believed values by which a schedule's
// time is predicted (docs/models.md). The same entries as Python's `stretto.model.parameters` takes; no
// intervals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace stretto::profile {

/// Which transfers, as the entries of a profile name them.
struct Way {
  std::string transport;
  std::string operation;
  std::string progress = "none";
};

/// LogGP of messages from this size on, in seconds and seconds a byte.
struct MessageCosts {
  std::uint64_t size_min_bytes = 0;
  double latency_s = 0;
  double overhead_send_s = 0;
  double overhead_receive_s = 0;
  double gap_queue_s = 0;
  double gap_s_per_byte = 0;
};

struct OverlapAt {
  std::uint64_t size_bytes = 0;
  double eta = 1;
};

struct MachineCosts {
  std::vector<MessageCosts> messages;  ///< by size, ascending; never empty
  std::vector<OverlapAt> overlap;      ///< by size, ascending; empty: offload
  double seconds_per_flop = 0;         ///< of transforms of nearly this length

  [[nodiscard]] const MessageCosts& at(std::uint64_t size_bytes) const;
  /// The fraction of a transfer that passes by itself, 0 to 1.
  [[nodiscard]] double overlap_at(std::uint64_t size_bytes) const;
  /// How many bytes pass by themselves at most before a call waits: where eta falls to less than half,
  /// buffers have hidden what was hidden.
  [[nodiscard]] double unattended_bytes() const;
};

/// Nothing where the profile lacks a parameter, or the rate of transforms. Throws std::runtime_error with one
/// line that names the file and the mend.
[[nodiscard]] std::optional<MachineCosts> read_machine_costs(const std::filesystem::path& file,
                                                             const Way& way, int ranks,
                                                             std::size_t row_length);

}  // namespace stretto::profile
