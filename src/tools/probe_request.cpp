// SPDX-License-Identifier: BSD-3-Clause
#include "tools/probe_request.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <stretto/version.hpp>

#include "probe/probes.hpp"
#include "tools/command_line.hpp"
#include "tools/request_file.hpp"

namespace stretto::tools {

template <>
std::optional<exchange::ProgressMode> enumerator_from(std::string_view name) {
  return exchange::progress_from(name);
}
template <>
std::optional<exchange::Operation> enumerator_from(std::string_view name) {
  return exchange::operation_from(name);
}
template <>
std::optional<probe::ComputingSide> enumerator_from(std::string_view name) {
  return probe::side_from(name);
}
template <>
std::optional<collective::Operation> enumerator_from(std::string_view name) {
  return collective::operation_from(name);
}
template <>
std::optional<collective::Algorithm> enumerator_from(std::string_view name) {
  return collective::algorithm_from(name);
}

template <>
struct Codec<probe::SizeRange> {
  static void read(const RequestJson& json, probe::SizeRange& value) {
    std::vector<std::size_t> ends;
    if (json.is_array()) Codec<std::vector<std::size_t>>::read(json, ends);
    if (ends.size() != 2 || ends[0] < 1 || ends[0] > ends[1]) {
      throw WrongValue{"null or [MIN, MAX], with MIN at least 1 and at most MAX"};
    }
    value = {.min_bytes = ends[0], .max_bytes = ends[1]};
  }
  static RequestJson write(const probe::SizeRange& value) { return {value.min_bytes, value.max_bytes}; }
};

namespace {

/// Calls `visit` for every member of a request.
template <typename Visitor>
void members(ProbeRequest& request, std::string& preamble, Visitor& visit) {
  std::string output = request.output;
  visit("command", request.command);
  visit("output", output);
  visit("preamble", preamble);
  visit("on", request.on);
  visit("network", request.network);
  probe::members(request.settings, visit);
  request.output = output;
}

void require(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

/// Throws for names that this program does not know.
void check_names(const probe::Settings& settings, const std::vector<std::string>& transports) {
  for (const std::string& name : settings.probes) {
    require(probe::find_probe(name) != nullptr, "--request: probes: unknown '" + name + "'");
  }
  for (const std::string& name : settings.transports) {
    require(std::ranges::find(transports, name) != transports.end(),
            "--transport: this build has no '" + name + "'");
  }
  for (const std::string& path : settings.paths) {
    require(path == "direct" || path == "rma" || path == "message",
            "--request: paths: unknown '" + path + "'");
  }
  for (const std::string& grid : settings.collective.grids) {
    require(grid == "all" || collective::grid_from(grid).has_value(),
            "--request: grids: '" + grid + "' is none of flat, all, P1xP2");
  }
  probe::check_sweeps(settings.schedules, settings.probes);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  require(file.is_open(), "--request: preamble: cannot read " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The effective request: absent members get their defaults.
ProbeRequest resolved(ProbeRequest request, const std::vector<std::string>& transports) {
  probe::Settings& settings = request.settings;
  if (settings.probes.empty()) {
    for (const probe::Probe& one : probe::all_probes()) settings.probes.emplace_back(one.name);
  }
  if (settings.transports.empty()) {  // without `mpi-request`, which only comparisons need
    std::ranges::copy_if(transports, std::back_inserter(settings.transports),
                         [](const std::string& name) { return name != "mpi-request"; });
  }
  if (settings.rounds) {
    settings.harness.min_rounds = settings.harness.max_rounds = *settings.rounds;
    settings.harness.budget_s = 1e9;
  }
  check_names(settings, transports);
  return request;
}

ProbeRequest request_from(const std::string& argument, const std::vector<std::string>& transports) {
  ProbeRequest request;
  std::string preamble;
  RequestReader reader(request_json(argument));
  reader.require("output");
  members(request, preamble, reader);
  reader.finish();
  if (!preamble.empty()) request.preamble = lines_of(preamble);
  return resolved(std::move(request), transports);
}

std::string defaults() {
  ProbeRequest request;
  std::string preamble;
  DefaultsWriter writer;
  members(request, preamble, writer);
  return writer.json.dump(1) + "\n";
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

ProbeCommandLine probe_command_line(int argc, char** argv, const std::vector<std::string>& transports,
                                    bool is_virtual) {
  ProbeCommandLine found;
  CommandLine line("Probes of stretto " + std::string{version} +
                   ": samples of how this machine communicates and computes");
  std::string request;
  bool shows_defaults = false;
  line.add("--request", &request, "what to measure: a JSON file, or its text (docs/formats.md)");
  line.add("--defaults", &shows_defaults, "print the request that measures everything, and end");
  if (is_virtual) {
    line.add("--machine", &found.machine, "L=..,o_s=..,o_r=..,g=..,G=..,...");
    line.add("--ranks", &found.ranks, "how many virtual ranks");
  }
  found.text = line.parse(argc, argv);
  if (shows_defaults) found.text = defaults();
  if (!found.text.empty()) return found;
  require(!request.empty(), "--request is required: a JSON file, such as --defaults prints");
  require(!is_virtual || !found.machine.empty(), "--machine is required: L=..,o_s=..,o_r=..,g=..,G=..");
  found.request = request_from(request, transports);
  return found;
}

record::Header header_of(int argc, char** argv, const ProbeRequest& request) {
  return {.created_utc = utc_now(),
          .command = request.command.empty() ? std::vector<std::string>(argv, argv + argc) : request.command,
          .revision = std::string{revision},
          .on = request.on,
          .cpu = cpu_model(),
          .network = request.network};
}

}  // namespace stretto::tools
