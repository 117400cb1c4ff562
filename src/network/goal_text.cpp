// SPDX-License-Identifier: BSD-3-Clause
#include "network/goal_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

namespace stretto::network {
namespace {

/// The operations of one rank; each depends on the one before.
class GoalRank {
 public:
  GoalRank(std::string& text, const ScheduleGraph& schedule, int rank)
      : text_(text), ranks_(schedule.ranks), rank_(rank) {
    fmt::format_to(std::back_inserter(text_), "rank {} {{\n", rank);
  }

  void compute(double work_s) { line(fmt::format("calc {:.0f}", std::nearbyint(work_s * 1e9))); }

  void send(std::uint64_t size_bytes, int hop, std::uint64_t tag) {
    line(fmt::format("send {}b to {} tag {}", size_bytes, (rank_ + hop) % ranks_, tag));
  }

  void receive(std::uint64_t size_bytes, int hop, std::uint64_t tag) {
    line(fmt::format("recv {}b from {} tag {}", size_bytes, (rank_ - hop + ranks_) % ranks_, tag));
  }

  void end() {
    for (std::size_t i = 1; i < lines_; ++i) {
      fmt::format_to(std::back_inserter(text_), "l{} requires l{}\n", i, i - 1);
    }
    text_ += "}\n";
  }

 private:
  void line(const std::string& operation) {
    fmt::format_to(std::back_inserter(text_), "l{}: {}\n", lines_++, operation);
  }

  std::string& text_;
  int ranks_;
  int rank_;
  std::size_t lines_ = 0;
};

void append_barrier(GoalRank& rank, int ranks) {
  constexpr std::uint64_t barrier_tag = 1 << 30;
  for (int distance = 1; distance < ranks; distance *= 2) {
    rank.send(0, distance, barrier_tag + static_cast<std::uint64_t>(distance));
    rank.receive(0, distance, barrier_tag + static_cast<std::uint64_t>(distance));
  }
}

}  // namespace

std::string goal_text(const ScheduleGraph& schedule, double work_s) {
  const double part_s = work_s / schedule.parts;
  std::vector<const GraphStep*> starts;
  for (const GraphStep& step : schedule.steps) {
    if (step.kind == GraphStep::Kind::start) starts.push_back(&step);
  }
  std::string text = fmt::format("num_ranks {}\n\n", schedule.ranks);
  for (int number = 0; number < schedule.ranks; ++number) {
    GoalRank rank(text, schedule, number);
    for (const GraphStep& step : schedule.steps) {
      if (step.kind == GraphStep::Kind::compute) {
        rank.compute(step.parts * part_s);
      } else if (step.kind == GraphStep::Kind::start) {
        rank.send(step.size_bytes, static_cast<int>(step.hop), step.message);
      } else {
        const GraphStep& start = *starts[step.message];
        rank.receive(start.size_bytes, static_cast<int>(start.hop), step.message);
      }
    }
    append_barrier(rank, schedule.ranks);
    rank.end();
    if (number + 1 < schedule.ranks) text += '\n';
  }
  return text;
}

}  // namespace stretto::network
