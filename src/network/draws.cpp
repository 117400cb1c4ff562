// SPDX-License-Identifier: BSD-3-Clause
#include "network/draws.hpp"

#include <fmt/format.h>

#include "network/profile_paths.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t max_bytes = std::int64_t{1} << 53;

Draws draws_of(const RequestMembers& members, const char* name) {
  return Draws(members.has(name) ? members.numbers(name) : std::vector<double>{0});
}

}  // namespace

DrawnPath::DrawnPath(const RequestMembers& path) {
  if (path.has("ranges")) read_ranges(path);
  if (path.has("points")) read_points(path);
  if (ranges_.empty() && points_.empty()) path.refuse("ranges", "give at least one range, or points");
  one_sided_ = path.text_or("operation", "send") != "send";
  if (path.has("overlap")) {
    for (const RequestMembers& members : path.objects("overlap")) {
      overlap_.push_back(
          {static_cast<std::uint64_t>(members.whole("size_bytes", 0, max_bytes)), draws_of(members, "eta")});
      check_count(members, "eta", overlap_.back().eta);
    }
  }
  byte_gap_ = optional_draws(path, "byte_gap");
  byte_speed_ = optional_draws(path, "byte_speed");
  steal_ = optional_draws(path, "steal");
  unattended_bytes_ = optional_draws(path, "unattended_bytes");
}

void DrawnPath::read_ranges(const RequestMembers& path) {
  for (const RequestMembers& members : path.objects("ranges")) {
    Range range{.from_bytes = static_cast<std::uint64_t>(members.whole("from_bytes", 0, max_bytes)),
                .parameters = {}};
    if (!ranges_.empty() && range.from_bytes <= ranges_.back().from_bytes) {
      members.refuse("from_bytes", "has to grow from range to range");
    }
    for (const LogGpMember& member : loggp_members) {
      range.parameters.push_back(draws_of(members, member.name));
      check_count(members, member.name, range.parameters.back());
    }
    ranges_.push_back(std::move(range));
  }
}

void DrawnPath::read_points(const RequestMembers& path) {
  for (const RequestMembers& members : path.objects("points")) {
    Point point{.size_bytes = static_cast<std::uint64_t>(members.whole("size_bytes", 0, max_bytes)),
                .times = {}};
    if (!points_.empty() && point.size_bytes <= points_.back().size_bytes) {
      members.refuse("size_bytes", "has to grow from point to point");
    }
    for (const MeasuredMember& member : measured_members) {
      point.times.push_back(optional_draws(members, member.name));
    }
    points_.push_back(std::move(point));
  }
}

std::optional<Draws> DrawnPath::optional_draws(const RequestMembers& owner, const char* name) {
  if (!owner.has(name)) return std::nullopt;
  const Draws draws(owner.numbers(name));
  check_count(owner, name, draws);
  return draws;
}

void DrawnPath::check_count(const RequestMembers& owner, const char* name, const Draws& draws) {
  if (draws.count() == 1 || draws.count() == count_) return;
  if (count_ != 1)
    owner.refuse(name, fmt::format("has {} draws where others have {}", draws.count(), count_));
  count_ = draws.count();
}

PathCosts DrawnPath::at(std::size_t draw) const {
  PathCosts costs;
  costs.ranges.clear();
  for (const Range& range : ranges_) {
    NetworkRange& here = costs.ranges.emplace_back();
    here.from_bytes = range.from_bytes;
    for (std::size_t i = 0; i < loggp_members.size(); ++i) {
      here.loggp.*loggp_members[i].parameter = range.parameters[i].at(draw);
    }
  }
  std::vector<MeasuredTransfer> transfers;
  for (const Point& point : points_) {
    MeasuredTransfer& here = transfers.emplace_back();
    here.size_bytes = point.size_bytes;
    for (std::size_t i = 0; i < measured_members.size(); ++i) {
      if (point.times[i]) here.*measured_members[i].time = point.times[i]->at(draw);
    }
  }
  costs.add(measured_ranges(transfers, {.one_sided = one_sided_, .overlap_known = !overlap_.empty()}));
  if (byte_gap_) costs.set_byte_gap(byte_gap_->at(draw));
  if (byte_speed_) costs.speed_up_bytes(byte_speed_->at(draw));
  for (const Overlap& one : overlap_) costs.overlap.push_back({one.size_bytes, one.eta.at(draw)});
  if (steal_) costs.steal = steal_->at(draw);
  if (unattended_bytes_) costs.unattended_bytes = unattended_bytes_->at(draw);
  return costs;
}

std::size_t common_count(const RequestMembers& request, std::initializer_list<std::size_t> counts) {
  std::size_t common = 1;
  for (const std::size_t count : counts) {
    if (count == 1 || count == common) continue;
    if (common != 1) {
      throw InvalidRequest(
          fmt::format("{}: has {} draws of one quantity and {} of another", request.path(), common, count));
    }
    common = count;
  }
  return common;
}

std::vector<ScheduleTimes> evaluate_draws(const ScheduleGraph& schedule, const RequestMembers& request,
                                          const DrawnPath& path, const Draws& work_s,
                                          const std::optional<Draws>& barrier_s) {
  const std::size_t count =
      common_count(request, {path.count(), work_s.count(), barrier_s ? barrier_s->count() : 1});
  std::vector<ScheduleTimes> times;
  times.reserve(count);
  for (std::size_t draw = 0; draw < count; ++draw) {
    const auto barrier = barrier_s ? std::optional{barrier_s->at(draw)} : std::nullopt;
    times.push_back(evaluate(schedule, path.at(draw), work_s.at(draw), barrier));
  }
  return times;
}

Json times_json(const ScheduleGraph& schedule, const std::vector<ScheduleTimes>& times) {
  Json json = {{"total_s", Json::array()}, {"segments_s", Json::object()}};
  for (const ScheduleTimes& one : times) json["total_s"].push_back(one.total_s);
  std::vector<bool> used(schedule.segments.size());
  used[barrier_segment] = true;
  for (const GraphStep& step : schedule.steps) {
    const bool waits = step.kind == GraphStep::Kind::finish || step.kind == GraphStep::Kind::await;
    used[waits ? sync_segment : step.segment] = true;
  }
  for (std::size_t segment = 0; segment < schedule.segments.size(); ++segment) {
    if (!used[segment]) continue;
    Json& values = json["segments_s"][schedule.segments[segment]] = Json::array();
    for (const ScheduleTimes& one : times) values.push_back(one.segments_s[segment]);
  }
  return json;
}

}  // namespace stretto::network
