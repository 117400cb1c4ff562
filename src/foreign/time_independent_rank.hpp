// SPDX-License-Identifier: BSD-3-Clause
// One rank of a time-independent trace of SimGrid: its time so far, and its open requests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

#include "foreign/call_writer.hpp"
#include "foreign/time_independent_actions.hpp"

namespace stretto::foreign {

/// What all ranks share.
struct TimeIndependentSource {
  Origin origin;
  std::filesystem::path directory;  ///< for the trace
  double flops_rate = 0;            ///< of the hosts
  Comm world;
  Functions functions;
  LeftOut left_out;
};

class TimeIndependentRank {
 public:
  /// `source` must outlive this object.
  TimeIndependentRank(TimeIndependentSource& source, std::int32_t rank) : of_(source), rank_(rank) {}

  /// One action. The file of the trace is open from the first to the last. Throws Damaged.
  void take(const ActionWords& words);
  /// Throws Damaged unless the last action was taken.
  void finish() const;

 private:
  using Message = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // source, target and tag

  void add_message(const Action& action, const ActionWords& words);
  void add_collective(const Action& action, const ActionWords& words);
  void end_requests(const Action& action, const ActionWords& words);
  void begin(const char* function);
  void add() { out_->add(0, call_, call_.begin_ns); }
  void count(const ActionWords& words, const char* what) { ++of_.left_out[words.name() + what]; }
  /// Nothing: it is of a derived datatype, of which the trace has the number of elements only.
  std::optional<std::uint64_t> bytes(const ActionBytes& of, const ActionWords& words) const;
  std::int32_t root(std::size_t at, const ActionWords& words) const;
  [[nodiscard]] std::size_t place(const ActionPlace& of) const;

  TimeIndependentSource& of_;
  std::int32_t rank_;
  std::optional<CallWriter> out_;
  bool has_ended_ = false;
  double time_s_ = 0;
  double default_bytes_ = 1;
  Call call_;
  std::multimap<Message, std::uint64_t> open_;  // requests
};

}  // namespace stretto::foreign
