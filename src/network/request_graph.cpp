// SPDX-License-Identifier: BSD-3-Clause
// `graph`: a schedule that is given step by step. Members: `ranks`, `parts`, `steps` (`["compute", PARTS,
// SEGMENT]`, `["start", HOP, SIZE, OPERATION, SEGMENT]`, `["finish", MESSAGE]`, `["await", MESSAGE]`),
// `path`, `work_s` and optionally `barrier_s`. Messages are numbered from 0 on in the order of their
// starts.
#include <fmt/format.h>

#include "network/draws.hpp"
#include "network/requests.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t max_ranks = 1 << 24;
constexpr std::size_t max_segment_names = 100;

/// One step, as an array of its kind and arguments.
class StepReader {
 public:
  StepReader(const RequestMembers& request, const Json& step, std::size_t number)
      : request_(request), step_(step), number_(number) {}

  void append_to(ScheduleGraph& schedule) const {
    const std::string kind = step_.is_array() && !step_.empty() && step_[0].is_string() ? step_[0] : Json("");
    if (kind == "compute" && step_.size() == 3) {
      schedule.compute(number(1), segment(schedule, 2));
    } else if (kind == "start" && step_.size() == 5) {
      schedule.start(static_cast<std::uint32_t>(number(1)), static_cast<std::uint64_t>(number(2)),
                     operation(3), segment(schedule, 4));
    } else if (kind == "finish" && step_.size() == 2) {
      schedule.finish(message(schedule));
    } else if (kind == "await" && step_.size() == 2) {
      schedule.await(message(schedule));
    } else {
      refuse("is none of compute, start, finish and await with their arguments");
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    request_.refuse("steps", fmt::format("[{}] {}", number_, what));
  }

  [[nodiscard]] double number(std::size_t place) const {
    const double value = step_[place].is_number() ? step_[place].get<double>() : -1;
    if (!(value >= 0)) refuse(fmt::format("has no number from 0 on at place {}", place));
    return value;
  }

  [[nodiscard]] std::string text(std::size_t place) const {
    if (!step_[place].is_string()) refuse(fmt::format("has no text at place {}", place));
    return step_[place];
  }

  [[nodiscard]] std::uint8_t segment(ScheduleGraph& schedule, std::size_t place) const {
    if (schedule.segments.size() >= max_segment_names) refuse("has one segment too many");
    return schedule.segment(text(place));
  }

  [[nodiscard]] TransferOperation operation(std::size_t place) const {
    const std::string name = text(place);
    for (const auto one : {TransferOperation::put, TransferOperation::get, TransferOperation::send}) {
      if (name == name_of(one)) return one;
    }
    refuse("starts none of put, get and send");
  }

  [[nodiscard]] std::uint32_t message(const ScheduleGraph& schedule) const {
    const double value = number(1);
    if (value >= schedule.messages) refuse("waits for a message that was not started");
    return static_cast<std::uint32_t>(value);
  }

  const RequestMembers& request_;
  const Json& step_;
  std::size_t number_;
};

}  // namespace

Json answer_graph(const RequestMembers& request) {
  ScheduleGraph schedule;
  schedule.name = "graph";
  schedule.ranks = static_cast<int>(request.whole("ranks", 1, max_ranks));
  schedule.parts = static_cast<int>(request.whole("parts", 1, std::numeric_limits<int>::max()));
  const Json& steps = request.at("steps");
  if (!steps.is_array()) request.refuse("steps", "give an array");
  for (std::size_t i = 0; i < steps.size(); ++i) StepReader(request, steps[i], i).append_to(schedule);
  const DrawnPath path(request.object("path"));
  const Draws work_s(request.numbers("work_s"));
  const auto barrier_s =
      request.has("barrier_s") ? std::optional(Draws(request.numbers("barrier_s"))) : std::nullopt;
  return times_json(schedule, evaluate_draws(schedule, request, path, work_s, barrier_s));
}

}  // namespace stretto::network
