// SPDX-License-Identifier: BSD-3-Clause
#include "record/encode.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace stretto::record {
namespace {

using Json = nlohmann::ordered_json;

double finite(double value, const char* name) {
  if (!std::isfinite(value)) throw std::domain_error(std::string{"a figure that is not finite: "} + name);
  return value;
}

void add(Json& row, const Fields& fields) {
  for (const auto& [name, value] : fields) {
    if (const auto* number = std::get_if<double>(&value)) finite(*number, name.c_str());
    std::visit([&](const auto& held) { row[name] = held; }, value);
  }
}

void add_segments(Json& row, const Sample& sample) {
  for (const auto& [text, seconds] : segment_names) {
    if (sample.largest.*seconds == 0) continue;
    const std::string name{text};
    row[name + "_s"] = finite(sample.mean.*seconds, name.c_str());
    if (sample.smallest.*seconds != 0) row[name + "_min_s"] = finite(sample.smallest.*seconds, name.c_str());
    row[name + "_max_s"] = finite(sample.largest.*seconds, name.c_str());
  }
}

// Host names and command lines may contain bytes that are not UTF-8; these must not end the run.
std::string line(const Json& row) {
  return row.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace);
}

}  // namespace

std::string encode(const Header& row) {
  Json settings = Json::object();
  add(settings, row.settings);
  for (double offset : row.clock.offset_s) finite(offset, "clock.offset_s");
  Json header(
      {{"row", "header"},
       {"schema", samples_schema},
       {"created_utc", row.created_utc},
       {"command", row.command},
       {"revision", row.revision},
       {"on", row.on},
       {"mpi", {{"family", row.mpi.family}, {"library", row.mpi.library}, {"standard", row.mpi.standard}}},
       {"hosts", row.hosts},
       {"cpu", row.cpu},
       {"locality", row.locality},
       {"ranks", row.ranks},
       {"cases", row.cases},
       {"clock",
        {{"name", row.clock.name},
         {"resolution_s", finite(row.clock.resolution_s, "clock.resolution_s")},
         {"overhead_s", finite(row.clock.overhead_s, "clock.overhead_s")},
         {"offset_s", row.clock.offset_s},
         {"offset_error_s", finite(row.clock.offset_error_s, "clock.offset_error_s")}}},
       {"network", row.network},
       {"settings", settings}});
  if (!row.cluster.empty()) header["cluster"] = row.cluster;
  if (!row.partition.empty()) header["partition"] = row.partition;
  return line(header);
}

std::string encode(const NoiseFloor& row) {
  return line({{"row", "noise_floor"}, {"value_s", finite(row.value_s, "noise_floor")}, {"n", row.n}});
}

std::string encode(const Load& row) {
  return line({{"row", "load"},
               {"host", row.host},
               {"when", row.when},
               {"seconds", finite(row.seconds, "seconds")},
               {"cores", row.cores},
               {"ranks", row.ranks},
               {"others_cores", finite(row.others_cores, "others_cores")},
               {"stolen_cores", finite(row.stolen_cores, "stolen_cores")},
               {"waiting_share", finite(row.waiting_share, "waiting_share")},
               {"runnable", row.runnable}});
}

std::string encode(const WorkRate& row) {
  return line({{"row", "work_rate"},
               {"work_kind", row.work_kind},
               {"seconds_per_count", finite(row.seconds_per_count, "seconds_per_count")},
               {"ci95_low", finite(row.ci95_low, "ci95_low")},
               {"ci95_high", finite(row.ci95_high, "ci95_high")},
               {"n", row.n}});
}

std::string encode(const Sample& row) {
  Json json{{"row", row.disturbed ? "disturbed" : "sample"},
            {"probe", row.probe},
            {"case", row.case_index},
            {"quantity", row.quantity},
            {"round", row.round},
            {"time_s", finite(row.time_s, "time_s")},
            {"messages", row.messages},
            {"ranks", row.ranks}};
  add(json, row.axes);
  add_segments(json, row);
  if (row.visit != 0) json["visit"] = row.visit;
  if (row.switches != 0) json["switches"] = row.switches;
  if (row.lost_s != 0) json["lost_s"] = finite(row.lost_s, "lost_s");
  return line(json);
}

std::string encode(const Traffic& row) {
  return line({{"row", "traffic"},
               {"probe", row.probe},
               {"case", row.case_index},
               {"quantity", row.quantity},
               {"origin", row.origin},
               {"target", row.target},
               {"path", row.path},
               {"steps", row.steps},
               {"operations", row.operations},
               {"bytes", row.bytes},
               {"messages", row.messages}});
}

std::string encode(const CaseEnd& row) {
  Json json{{"row", "case_end"},        {"probe", row.probe},   {"case", row.case_index},
            {"ended_by", row.ended_by}, {"rounds", row.rounds}, {"discarded", row.discarded}};
  if (row.visits != 1) json["visits"] = row.visits;
  if (row.disturbed != 0) json["disturbed"] = row.disturbed;
  return line(json);
}

std::string encode(const Checked& row) {
  return line({{"row", "checked"},
               {"probe", row.probe},
               {"case", row.case_index},
               {"transfers", row.transfers},
               {"wrong", row.wrong}});
}

std::string encode(const Skipped& row) {
  Json json{{"row", "skipped"}, {"probe", row.probe}, {"transport", row.transport}};
  if (!row.operation.empty()) json["operation"] = row.operation;
  json["reason"] = row.reason;
  return line(json);
}

std::string encode(const End& row) { return line({{"row", "end"}, {"rows", row.rows}}); }

}  // namespace stretto::record
