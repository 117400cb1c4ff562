// SPDX-License-Identifier: BSD-3-Clause
#include "tools/probe_request.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "probe/probes.hpp"
#include "record/utc_now.hpp"
#include "tools/command_line.hpp"
#include "tools/request_file.hpp"
#include "version.hpp"

namespace stretto::tools {

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
  require(settings.size_factor.value_or(2) >= 2, "--request: size_factor: must be null, or 2 or more");
  require(settings.spmv_efficiency > 0 && settings.spmv_efficiency <= 1,
          "--request: spmv_efficiency: must be above 0, and 1 at most");
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

/// Whether the probes use a transport that was not requested. `mpi-request` serves comparisons only.
bool is_usual(const std::string& transport, const std::vector<std::string>& probes) {
  if (transport == "mpi-request") return false;
  return std::ranges::any_of(probes, [&](const std::string& name) {
    const probe::Probe* probe = probe::find_probe(name);
    return probe != nullptr && probe::uses(*probe, transport, false);
  });
}

template <typename T>
void add_to(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& one : more) {
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
}

/// Fills in the probes and transports that a part does not name, and checks the names that it does.
void resolve_names(probe::Settings& settings, const std::vector<std::string>& transports) {
  if (settings.probes.empty()) {
    for (const probe::Probe& one : probe::all_probes()) {
      if (!one.by_name) settings.probes.emplace_back(one.name);
    }
  }
  if (settings.transports.empty()) {
    settings.own_transports = true;
    std::ranges::copy_if(transports, std::back_inserter(settings.transports),
                         [&](const std::string& name) { return is_usual(name, settings.probes); });
  }
  check_names(settings, transports);
}

/// The effective request: absent members get their defaults. What the parts name, the whole run names.
ProbeRequest resolved(ProbeRequest request, const std::vector<std::string>& transports) {
  probe::Settings& settings = request.settings;
  if (!settings.parts.empty()) {
    settings.probes.clear();
    settings.transports.clear();
    settings.progress.clear();
  }
  for (probe::Settings& part : settings.parts) {
    resolve_names(part, transports);
    add_to(settings.probes, part.probes);
    add_to(settings.transports, part.transports);
    add_to(settings.progress, part.progress);
  }
  resolve_names(settings, transports);
  if (settings.rounds) {
    settings.harness.min_rounds = settings.harness.max_rounds = *settings.rounds;
    settings.harness.budget_s = 1e9;
  }
  return request;
}

/// The members of a part are those of the whole request, unless it has its own.
std::vector<probe::Settings> parts_of(const RequestJson& json) {
  std::vector<probe::Settings> parts;
  for (const RequestJson& part : json.value("parts", RequestJson::array())) {
    require(part.is_object(), "--request: parts: must be a list of objects");
    RequestJson whole = json;
    whole.erase("parts");
    whole.update(part);
    RequestReader reader(whole);
    ProbeRequest request;
    std::string preamble;
    members(request, preamble, reader);
    reader.finish();
    parts.push_back(std::move(request.settings));
  }
  return parts;
}

ProbeRequest request_from(const std::string& argument, const std::vector<std::string>& transports) {
  ProbeRequest request;
  std::string preamble;
  RequestJson json = request_json(argument);
  request.settings.parts = parts_of(json);
  json.erase("parts");
  RequestReader reader(std::move(json));
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
  return {.created_utc = record::utc_now(),
          .command = request.command.empty() ? std::vector<std::string>(argv, argv + argc) : request.command,
          .revision = std::string{revision},
          .on = request.on,
          .cpu = cpu_model(),
          .network = request.network};
}

}  // namespace stretto::tools
