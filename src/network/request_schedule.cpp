// SPDX-License-Identifier: BSD-3-Clause
// `schedule`: a schedule of the probes FT and SPMV. Members: `probe`, `schedule`, `ranks`, `operation`; for
// `ft` `rows`, `row_bytes` and optionally `chunks`; for `spmv` `block_bytes` and optionally `prefetch`. The
// answer describes it (`name`, `parts`, `steps`, `messages`, `largest_bytes`, `operation`). With `path` and
// `work_s` it also has the times in each draw: `total_s`, `segments_s`, `communication_s` (without
// computation, where `with_communication` is true) and `closed_s`, the closed forms by name.
//
// `goal`: the same schedule as GOAL text. Further member: `work_s`, one number. The answer has `text`.
#include "network/draws.hpp"
#include "network/goal_text.hpp"
#include "network/probe_schedules.hpp"
#include "network/requests.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t max_size = std::int64_t{1} << 40;
constexpr std::int64_t max_count = std::int64_t{1} << 30;

TransferOperation transfer_operation_of(const RequestMembers& request) {
  const std::string name = request.text("operation");
  for (const auto one : {TransferOperation::put, TransferOperation::get, TransferOperation::send}) {
    if (name == name_of(one)) return one;
  }
  request.refuse("operation", "choose from put, get, send");
}

ScheduleGraph ft_schedule_of(const RequestMembers& request) {
  constexpr std::int64_t element_bytes = 16;  // a complex double
  const auto row_bytes = request.whole("row_bytes", 1, max_count);
  if (row_bytes % element_bytes != 0) request.refuse("row_bytes", "give a multiple of 16");
  const FtProblem problem{.rows = static_cast<std::size_t>(request.whole("rows", 0, max_count)),
                          .row_length = static_cast<std::size_t>(row_bytes / element_bytes),
                          .ranks = static_cast<std::size_t>(request.whole("ranks", 0, max_count))};
  std::optional<std::int64_t> chunks;
  if (request.has("chunks")) chunks = request.whole("chunks", 0, max_count);
  const auto operation = transfer_operation_of(request);
  if (operation == TransferOperation::get) request.refuse("operation", "ft takes put or send");
  return ft_schedule(request.text("schedule"), problem, chunks, operation);
}

ScheduleGraph spmv_schedule_of(const RequestMembers& request) {
  const bool two_sided = transfer_operation_of(request) == TransferOperation::send;
  const std::int64_t prefetch =
      request.has("prefetch") ? request.whole("prefetch", -max_count, max_count) : 1;
  const auto block_bytes = static_cast<std::uint64_t>(request.whole("block_bytes", 0, max_size));
  return spmv_schedule(request.text("schedule"), request.whole("ranks", 0, max_count), block_bytes, prefetch,
                       two_sided);
}

ScheduleGraph schedule_of(const RequestMembers& request) {
  try {
    const std::string probe = request.text("probe");
    if (probe == "ft") return ft_schedule_of(request);
    if (probe == "spmv") return spmv_schedule_of(request);
  } catch (const InvalidParameter& wrong) {
    request.refuse(wrong.parameter().c_str(), wrong.what());
  }
  request.refuse("probe", "choose from ft, spmv");
}

/// The closed forms in all draws; an empty object where there is none.
Json closed_json(const ScheduleGraph& schedule, const DrawnPath& path, const Draws& work_s,
                 std::size_t draws) {
  Json json = Json::object();
  for (std::size_t draw = 0; draw < draws; ++draw) {
    for (const auto& [name, seconds] : closed_form(schedule, path.at(draw), work_s.at(draw))) {
      json[name].push_back(seconds);
    }
  }
  return json;
}

}  // namespace

Json answer_schedule(const RequestMembers& request) {
  const ScheduleGraph schedule = schedule_of(request);
  Json json = {{"name", schedule.name},
               {"parts", schedule.parts},
               {"steps", schedule.steps.size()},
               {"messages", schedule.messages},
               {"largest_bytes", schedule.largest_bytes()},
               {"operation", name_of(schedule.first_start()->operation)}};
  if (!request.has("path")) return json;
  const DrawnPath path(request.object("path"));
  const Draws work_s(request.numbers("work_s"));
  const auto barrier_s =
      request.has("barrier_s") ? std::optional(Draws(request.numbers("barrier_s"))) : std::nullopt;
  const auto times = evaluate_draws(schedule, request, path, work_s, barrier_s);
  json.update(times_json(schedule, times));
  if (request.flag_or("with_communication", false)) {
    const Draws nothing({0});
    for (const ScheduleTimes& one : evaluate_draws(schedule, request, path, nothing, barrier_s)) {
      json["communication_s"].push_back(one.total_s);
    }
  }
  json["closed_s"] = closed_json(schedule, path, work_s, times.size());
  return json;
}

Json answer_goal(const RequestMembers& request) {
  return {{"text", goal_text(schedule_of(request), request.number("work_s"))}};
}

}  // namespace stretto::network
