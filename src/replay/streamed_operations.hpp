// SPDX-License-Identifier: BSD-3-Clause
// The operations of a trace during one replay: those that are under way, and some ahead of each rank. They
// have the numbers that they have in a schedule. A rank's file is read on when the last operation that was
// read starts, because all that follows waits for that start.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "replay/open_channels.hpp"
#include "replay/operation_state.hpp"
#include "replay/rank_writer.hpp"
#include "replay/sparse_array.hpp"
#include "replay/streamed_trace.hpp"

namespace stretto::replay {

class StreamedOperations {
 public:
  /// Opens all files, and reads the first operations of each rank. `trace` must outlive this object. Throws
  /// TraceError.
  explicit StreamedOperations(const StreamedTrace& trace);
  StreamedOperations(const StreamedOperations&) = delete;
  StreamedOperations& operator=(const StreamedOperations&) = delete;
  ~StreamedOperations();

  [[nodiscard]] const Step* steps() { return steps_.data(); }
  [[nodiscard]] OperationState* states() { return states_.data(); }
  /// For a replay's use.
  [[nodiscard]] OperationId* leaves_next() { return leaves_next_.data(); }
  /// One past the last operation of a rank that was read.
  [[nodiscard]] OperationId read_until(std::uint32_t rank) const;
  /// The channels of all operations that were read have lower numbers.
  [[nodiscard]] std::uint32_t channels() const { return channels_.numbers(); }

  /// An operation of a rank has started. Reads on where it is the last one. Throws TraceError.
  void start(std::uint32_t rank, OperationId id, double now_s);
  void end(OperationId id, double now_s);
  /// Passes the operations that wait for the operation's start or end, as Schedule::dependents has them.
  template <typename Use>
  void for_each_dependent(OperationId id, const Use& use) const {
    for (std::uint32_t at = steps_[id].first_dependent; at != 0; at = edges_[at].next)
      use(edges_[at].later_and_start);
  }
  /// All of them have been told.
  void forget_dependents(OperationId id);
  /// The receive of a message has met it; true: the channel is as a new one.
  bool match(std::uint32_t channel) { return channels_.match(channel); }
  /// Whether an operation waits for nothing that it could be read on for, as in a damaged trace: only a
  /// schedule has it begin at the start.
  [[nodiscard]] bool has_loose() const { return has_loose_; }
  /// The receive of a message is over.
  void received(OperationId message) { progress_[message] = Progress::over; }

 private:
  /// `over`: nothing of the replay needs the operation any more.
  enum class Progress : std::uint8_t { waits, started, ended, over };
  struct Times {
    double start_s;
    double end_s;
  };
  struct Edge {
    std::uint32_t later_and_start = 0;
    std::uint32_t next = 0;  // 0: none
  };
  struct Rank;

  std::uint32_t add(std::uint32_t rank, const ScheduleOperation& operation);
  void connect(OperationId later, OperationId earlier, std::uint32_t start);
  void read_on(std::uint32_t rank);
  void release(std::uint32_t rank);

  const StreamedTrace& trace_;
  Tags tags_;
  TraceSummary summary_;  // which `trace_` has, too
  std::vector<std::unique_ptr<Rank>> ranks_;
  OpenChannels channels_;
  bool has_loose_ = false;
  std::vector<Edge> edges_{1};
  std::uint32_t free_edge_ = 0;  // the first of those that are not used, as a list
  // By operation.
  SparseArray<Step> steps_;
  SparseArray<OperationState> states_;
  SparseArray<Times> times_;
  SparseArray<Progress> progress_;
  SparseArray<std::uint32_t> last_edges_;
  SparseArray<OperationId> leaves_next_;
};

}  // namespace stretto::replay
