// SPDX-License-Identifier: BSD-3-Clause
#include "tools/analyse_document.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "analysis/analyse.hpp"
#include "analysis/timeline.hpp"
#include "tools/request_file.hpp"
#include "tools/trace_division.hpp"

namespace stretto::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Request {
  std::vector<std::string> traces;
  std::vector<std::string> parts{"sites"};
  std::vector<std::vector<double>> times;
  std::vector<std::size_t> crowded;  // ranks
  std::size_t max_calls = 60'000;    // of a timeline
  analysis::AnalysisOptions options;

  [[nodiscard]] bool wants(const char* part) const {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

Request request_from(const std::string& text) {
  Request request;
  RequestReader read(request_json(text));
  read("traces", request.traces);
  read("parts", request.parts);
  read("crowded", request.crowded);
  read("latency_s", request.options.cost.latency_s);
  read("gap_s_per_byte", request.options.cost.gap_s_per_byte);
  read("overhead_s", request.options.cost.overhead_s);
  read("times", request.times);
  read("by_data", request.options.by_data);
  read("max_calls", request.max_calls);
  read("threads", request.options.threads);
  read.require("traces");
  read.finish();
  for (const std::vector<double>& one : request.times) {
    auto& times = request.options.cost.times;
    const double least = times.empty() ? 0 : static_cast<double>(times.back().first) + 1;
    const bool ascends =
        one.size() == 2 && one[0] >= least && one[0] < 1e18 && (!times.empty() || one[0] == 0);
    if (!ascends) throw std::invalid_argument("--request: times: must be [bytes, seconds], ascending from 0");
    times.emplace_back(static_cast<std::uint64_t>(one[0]), one[1]);
  }
  if (request.times.size() == 1)
    throw std::invalid_argument("--request: times: must have two sizes at least");
  return request;
}

const char* name_of(analysis::Side side) {
  constexpr const char* names[] = {"send", "receive", "collective", "one-sided"};
  return names[static_cast<std::size_t>(side)];
}

const char* name_of(analysis::Order order) {
  constexpr const char* names[] = {"at once", "in order", "in reverse order", "in mixed order"};
  return names[static_cast<std::size_t>(order)];
}

Json json_of(const std::vector<analysis::Place>& places) {
  Json rows = Json::array();
  for (const analysis::Place& place : places) rows.push_back({place.module, place.address});
  return rows;
}

Json json_of(const analysis::DataWork& work) {
  Json orders = Json::object();
  for (const auto& [order, count] : work.orders) orders[name_of(order)] = count;
  return {{"messages", work.messages},
          {"independent_s", work.independent_s},
          {"dependent_s", work.dependent_s},
          {"between_parts_s", work.between_parts_s},
          {"rearrangement_s", work.rearrangement_s},
          {"untouched_parts", work.untouched_parts},
          {"orders", orders}};
}

Json json_of(const analysis::Sites& sites) {
  Json rows = Json::array();
  for (const auto& [key, one] : sites) {
    rows.push_back({{"module", key.first.module},
                    {"address", key.first.address},
                    {"call", key.second},
                    {"side", name_of(one.side)},
                    {"count", one.count},
                    {"size_bytes", one.size_bytes},
                    {"blocked_s", one.blocked_s},
                    {"window_s", one.window_s},
                    {"cost_s", one.cost_s},
                    {"covered_s", one.covered_s},
                    {"nonblocking", one.nonblocking},
                    {"starting_s", one.starting_s},
                    {"at_once", one.at_once},
                    {"data", json_of(one.data)},
                    {"reordered", json_of(one.reordered)},
                    {"data_cost_s", one.data_cost_s},
                    {"data_window_s", one.data_window_s}});
  }
  return rows;
}

Json json_of(const analysis::WorkSites& sites, const analysis::Regions& regions,
             const analysis::Accesses& accesses) {
  std::map<analysis::Place, Json> of_place;
  for (const auto& [place, all] : regions) {
    Json& rows = of_place[place] = Json::array();
    for (const auto& [where, one] : all) {
      rows.push_back({where.module, where.address, one.independent_s, one.dependent_s});
    }
  }
  Json rows = Json::array();
  for (const auto& [place, one] : sites) {
    const auto work = of_place.find(place);
    Json accessed = Json::array();
    if (const auto found = accesses.find(place); found != accesses.end()) {
      for (const analysis::Place& where : found->second) accessed.push_back({where.module, where.address});
    }
    rows.push_back({{"module", place.module},
                    {"address", place.address},
                    {"call", one.call},
                    {"count", one.count},
                    {"messages", one.messages},
                    {"blocked_s", one.blocked_s},
                    {"cost_s", one.cost_s},
                    {"uncovered_s", one.uncovered_s},
                    {"size_bytes", one.size_bytes},
                    {"before_use_s", one.before_use_s},
                    {"used", one.used},
                    {"accessed", accessed},
                    {"regions", work == of_place.end() ? Json::array() : work->second}});
  }
  return rows;
}

void add(Json& json, const analysis::Potential& potential) {
  json["sites"] = json_of(potential.sites);
  json["arrivals"] = json_of(potential.arrivals, potential.regions[0], potential.accesses[0]);
  json["sends"] = json_of(potential.sends, potential.regions[1], potential.accesses[1]);
}

void add(Json& json, const analysis::Program& program) {
  json["records"] = program.records;
  Json& modules = json["modules"] = Json::array();
  for (const auto& [path, build_ids] : program.modules) modules.push_back({path, build_ids});
  Json& call_sites = json["call_sites"] = Json::array();
  for (const auto& [place, callers] : program.call_sites) {
    call_sites.push_back({place.module, place.address, json_of(callers)});
  }
}

void add(Json& json, const analysis::TimeUse& use) {
  Json rows = Json::array();
  for (const auto& [place, one] : use.sites) {
    const analysis::BlockedTime& blocked = one.blocked;
    rows.push_back({{"module", place.module},
                    {"address", place.address},
                    {"call", one.call},
                    {"transfer_s", blocked.transfer_s},
                    {"late_s", blocked.late_s},
                    {"progress_s", blocked.progress_s},
                    {"cores_s", blocked.cores_s},
                    {"poll_s", blocked.poll_s},
                    {"calls_s", blocked.calls_s}});
  }
  json["run_s"] = use.run_s;
  json["blocked"] = rows;
  json["streams"] = json_of(use.streams.streams());
}

/// The numbers that `of` returns for each one of `all`.
template <typename All, typename Of>
Json column(const All& all, const Of& of) {
  Json column = Json::array();
  for (const auto& one : all) column.push_back(of(one));
  return column;
}

/// Times are from the begin of the timeline on.
Json json_of(const analysis::Timeline& timeline) {
  const auto since = [&](std::uint64_t time_ns) {
    return static_cast<std::int64_t>(time_ns) - static_cast<std::int64_t>(timeline.begin_ns);
  };
  using Span = analysis::Timeline::Span;
  Json lanes = Json::array();
  for (const analysis::Timeline::Lane& lane : timeline.lanes) {
    lanes.push_back({{"rank", lane.rank},
                     {"thread", lane.thread},
                     {"begin", column(lane.spans, [&](const Span& one) { return since(one.begin_ns); })},
                     {"length", column(lane.spans, [](const Span& one) { return one.duration_ns; })},
                     {"call", column(lane.spans, [](const Span& one) { return one.call; })},
                     {"place", column(lane.spans, [](const Span& one) { return one.place; })},
                     {"peer", column(lane.spans, [](const Span& one) { return one.peer; })},
                     {"bytes", column(lane.spans, [](const Span& one) { return one.size_bytes; })}});
  }
  Json messages = Json::array();
  for (const analysis::Timeline::Message& one : timeline.messages) {
    messages.push_back({one.from_lane, one.to_lane, since(one.sent_ns), since(one.received_ns),
                        one.size_bytes, one.tag, column(one.produced_ns, since),
                        column(one.consumed_ns, since)});
  }
  Json calls = Json::array();
  for (const replay::TracedCall& call : timeline.calls) calls.push_back(Json::array({call.name, call.kind}));
  return {{"begin_ns", timeline.begin_ns},
          {"length_ns", since(timeline.end_ns)},
          {"whole", timeline.whole},
          {"calls", calls},
          {"places", json_of(timeline.places)},
          {"lanes", lanes},
          {"messages", messages}};
}

Json parts_of(const Request& request, const analysis::TraceFiles& files, const analysis::Share& share) {
  analysis::Team& team = share.team;
  analysis::AnalysisOptions options = request.options;
  Json json{{"schema", "stretto.analysis/1.3"}};
  std::vector<bool> crowded(files.size());
  for (const std::size_t rank : request.crowded) {
    if (rank >= files.size()) throw std::invalid_argument("--request: crowded: must be numbers of traces");
    crowded[rank] = true;
  }
  std::future<analysis::TimeUse> use;
  if (request.wants("time")) {
    // Processes of a team exchange messages in one order.
    const auto launch = team.size() > 1 ? std::launch::deferred : std::launch::async;
    use = std::async(launch, [&] { return analysis::time_use(files, share, options.cost, crowded); });
  }
  if (request.wants("sites")) {
    const analysis::PotentialAndProgram found = analysis::potential_of(files, share, options);
    add(json, found.potential);
    add(json, found.program);
  } else if (request.wants("program")) {
    add(json, analysis::program_of(files, share, options.threads));
  }
  if (use.valid()) add(json, use.get());
  if (request.wants("timeline") && team.number() == 0) {
    json["timeline"] = json_of(analysis::timeline_of(files, request.max_calls));
  }
  if (request.wants("network")) {
    json["network"] = Json::array();
    for (const analysis::ShownTime& one : analysis::shown_network(files, share)) {
      json["network"].push_back({one.mean_bytes, one.time_s});
    }
  }
  return json;
}

/// A file that cannot be read ends all processes with one sentence about all such files.
Json answer(const Request& request, analysis::Team& team) {
  const analysis::TraceFiles files(request.traces.begin(), request.traces.end());
  const analysis::Share share{team, division_of(files, team)};
  std::string wrong;
  try {
    return parts_of(request, files, share);
  } catch (const replay::TraceError& error) {
    wrong = error.what();
    team.fail();
  } catch (const analysis::TeamFailed&) {  // another process says which file
  }
  refuse_damaged(files, share, wrong);
}

}  // namespace

std::string analysis_document(const std::string& request, analysis::Team& team) {
  const Json json = answer(request_from(request), team);
  // A file's path is any bytes, and JSON is UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stretto::tools
