// SPDX-License-Identifier: BSD-3-Clause
// Finds the ends of messages in the records of a rank, and numbers them in their channels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/event.hpp"
#include "analysis/message_table.hpp"
#include "analysis/request_map.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

class RankMessages {
 public:
  /// The arguments must outlive this object.
  RankMessages(const replay::TraceReader& reader, MessageTable& table)
      : reader_(reader), rank_(static_cast<std::int32_t>(reader.rank())), table_(table) {}

  /// Adds the ends in a record to `ends`. `call`: the last call of its thread; the record itself if it is
  /// one.
  void take(const Event& event, const Event& call, std::vector<MessageEnd>& ends);
  /// Receives from anybody in progress: their channel is known only when they complete.
  [[nodiscard]] std::size_t from_anybody() const { return from_anybody_; }

 private:
  /// A posted receive; `peer` or `tag` may be a wildcard.
  struct Posted {
    std::int32_t peer = 0;
    std::int32_t tag = 0;
    std::uint16_t context = 0;
    std::uint64_t size_bytes = 0;
    std::optional<std::uint64_t> number;
    double posted_s = 0;
  };

  void send(const Event& event, bool is_nonblocking, std::vector<MessageEnd>& ends);
  void receive(const Event& event, const Event& call, std::vector<MessageEnd>& ends);
  void post(const Event& event);
  void complete(const Event& event, std::vector<MessageEnd>& ends);
  void free(std::uint32_t request);
  void take_back(const Posted& cancelled);
  std::optional<Posted> unpost(std::uint32_t request);
  Channel& channel(std::int32_t source, std::uint16_t context, std::int32_t tag);
  [[nodiscard]] std::uint64_t key(std::uint16_t context) const;

  const replay::TraceReader& reader_;
  std::int32_t rank_;
  MessageTable& table_;
  RequestMap<Posted> posted_;
  std::size_t from_anybody_ = 0;
};

}  // namespace stretto::analysis
