// SPDX-License-Identifier: BSD-3-Clause
#include "tools/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <stretto/version.hpp>

#include "probe/probes.hpp"
#include "tools/command_line.hpp"

namespace stretto::tools {
namespace {

/// Each text through `parse`, which gives nothing for a name that it does not know.
template <typename T, typename Parse>
std::vector<T> parsed(const std::vector<std::string>& texts, const std::string& option, Parse parse) {
  std::vector<T> values;
  for (const std::string& text : texts) {
    const auto value = parse(text);
    if (!value)
      throw std::invalid_argument(
          std::string(option).append(": unknown '").append(text).append("' (see --help)"));
    values.push_back(*value);
  }
  return values;
}

void require(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

void validate(const probe::Settings& settings) {
  const measure::HarnessSettings& harness = settings.harness;
  require(harness.max_noise > 0 && harness.max_noise < 1,
          "--max-noise: give a fraction between 0 and 1, such as 0.05");
  require(std::isfinite(harness.budget_s) && harness.budget_s > 0, "--budget: give seconds above 0");
  require(harness.min_rounds >= 1, "--rounds: give at least 1");
  for (const std::string& path : settings.paths) {
    require(path == "direct" || path == "rma" || path == "message",
            "--path: unknown '" + path + "'; give direct, rma or message");
  }
  require(settings.pace_s >= 0 && settings.pace_s <= 1, "--pace: give seconds above 0 and at most 1");
  for (const double ratio : settings.ratios) {
    require(std::isfinite(ratio) && ratio > 0 && ratio <= 100,
            "--ratio: give T_w/T_c above 0 and at most 100");
  }
}

void validate(const probe::CollectiveSettings& settings) {
  for (const int p : settings.members) require(p >= 2, "--members: give at least 2");
  for (const std::string& grid : settings.grids) {
    require(grid == "all" || collective::grid_from(grid).has_value(),
            "--grids: '" + grid + "' is none of flat, all, P1xP2");
  }
  for (const int one : settings.segments) require(one >= 1, "--segments: give at least 1");
  require(settings.root >= 0, "--root: give a rank");
}

/// Of ft and spmv. `scales` are read as texts, for one of them may be `balance`.
void add_schedule_options(CommandLine& line, probe::ScheduleSettings& schedules,
                          std::vector<std::string>& scales) {
  line.add("--sweep", &schedules.sweep, "ft, spmv: an experiment of the paper's section 6 by name");
  line.add("--rows", &schedules.rows, "ft: N, rows of a rank; spmv: order of the matrix", {.commas = true});
  line.add("--row-length", &schedules.row_lengths, "ft: R, complex elements of a row", {.commas = true});
  line.add("--scale", &scales, "ft: flops over those of one transform a row, or balance", {.commas = true});
  line.add("--planes", &schedules.planes, "ft: slabs go out plane by plane");
  line.add("--schedules", &schedules.schedules,
           "ft: exchange, slabs, pencils, chunks=X; spmv: bulk, gather, scatter", {.commas = true});
  line.add("--prefetch", &schedules.prefetch, "spmv: blocks on their way ahead, 0 to P-1", {.commas = true});
  line.add("--nonzeros", &schedules.nonzero_ratios, "spmv: nonzeros over the order squared",
           {.commas = true});
}

void read_scales(const std::vector<std::string>& texts, probe::ScheduleSettings& schedules) {
  for (const std::string& text : texts) {
    if (text == "balance") {
      schedules.balance = true;
      continue;
    }
    double scale = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
    require(error == std::errc{} && rest == text.data() + text.size(),
            "--scale: '" + text + "' is neither a number nor balance");
    schedules.scales.push_back(scale);
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  require(file.is_open(), "--preamble: cannot read " + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
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

Options options_from(int argc, char** argv, const std::vector<std::string>& transports,
                     bool virtual_machine) {
  Options options;
  probe::Settings& settings = options.settings;
  CommandLine line("Probes of stretto " + std::string{version} +
                   ": samples of how this machine communicates and computes");
  std::vector<std::string> progress;
  std::vector<std::string> operations;
  std::vector<std::string> sides;
  std::vector<std::string> collectives;
  std::vector<std::string> algorithms;
  std::string sizes;
  std::string preamble;
  std::string segment;
  int rounds = 0;
  // What only a comparison needs is measured when it is asked for.
  std::ranges::copy_if(transports, std::back_inserter(settings.transports),
                       [](const std::string& name) { return name != "mpi-request"; });
  line.add(
      "NAME", &settings.probes,
      "probes: latency bandwidth loggp overlap aggregation contention ft spmv collective (default: all)");
  line.add("-o,--output", &options.output, "the samples file to create", {.required = true});
  line.add("--transport", &settings.transports, "over which transports", {.commas = true});
  line.add("--progress", &progress, "none, poll, thread", {.commas = true});
  line.add("--path", &settings.paths, "that transport stretto must take: direct, rma, message",
           {.commas = true});
  line.add("--operation", &operations, "send, put, get", {.commas = true});
  line.add("--side", &sides, "who works: origin, target, both", {.commas = true});
  line.add("--ratio", &settings.ratios, "T_w/T_c of the overlap probe", {.commas = true});
  line.add("--collectives", &collectives, "of the probe collective: broadcast, reduce-scatter, ...",
           {.commas = true});
  line.add("--algorithm", &algorithms, "of the probe collective: library, reference", {.commas = true});
  line.add("--members", &settings.collective.members, "of the probe collective: numbers of ranks",
           {.commas = true});
  line.add("--grids", &settings.collective.grids, "of the probe collective: flat, all, P1xP2",
           {.commas = true});
  line.add("--segments", &settings.collective.segments, "of the probe collective: how many",
           {.commas = true});
  line.add("--root", &settings.collective.root, "of the probe collective");
  line.add("--sizes", &sizes, "MIN:MAX, such as 8:1MiB");
  line.add("--pace", &settings.pace_s, "seconds between two polls of a helper thread");
  line.add("--segment", &segment, "how much data a message of the runtime carries, such as 64KiB");
  line.add("--max-noise", &settings.harness.max_noise, "relative half width of an interval that is enough");
  line.add("--budget", &settings.harness.budget_s, "seconds for all cases together");
  line.add("--rounds", &rounds, "exactly so many rounds a case, whatever the noise");
  line.add("--seed", &settings.harness.seed, "of the random order");
  line.add("--check", &settings.harness.check, "look at the data that arrives");
  line.add("--on", &options.on, "what this runs on, for the header");
  line.add("--preamble", &preamble, "file of rows that the launcher knows of the substrate");
  line.add("--network", &options.network, "which network, for the header");
  line.add("--warm-ups", &settings.harness.warm_ups, "runs of a case that are not counted",
           {.range = {0, 1e9}});
  line.add("--gap-queue", &settings.gap_queue_s,
           "ft, spmv: seconds a message in an injection queue that the machine itself has not",
           {.range = {0, 1}});
  std::vector<std::string> scales;
  add_schedule_options(line, settings.schedules, scales);
  if (virtual_machine) {
    line.add("--machine", &options.machine, "L=..,o_s=..,o_r=..,g=..,G=..,...", {.required = true});
    line.add("--ranks", &options.ranks, "how many virtual ranks");
  }
  options.help = line.parse(argc, argv);
  if (!options.help.empty()) return options;

  if (settings.probes.empty()) {
    for (const probe::Probe& one : probe::all_probes()) settings.probes.emplace_back(one.name);
  }
  for (const std::string& name : settings.probes) {
    require(probe::find_probe(name) != nullptr, "unknown probe '" + name + "': see --help");
  }
  for (const std::string& name : settings.transports) {
    require(std::ranges::find(transports, name) != transports.end(),
            "--transport: this build has no '" + name + "'");
  }
  if (!progress.empty())
    settings.progress = parsed<exchange::ProgressMode>(progress, "--progress", exchange::progress_from);
  if (!operations.empty()) {
    settings.operations = parsed<exchange::Operation>(operations, "--operation", exchange::operation_from);
  }
  if (!sides.empty()) settings.sides = parsed<probe::Side>(sides, "--side", probe::side_from);
  if (!collectives.empty()) {
    settings.collective.operations =
        parsed<collective::Operation>(collectives, "--collectives", collective::operation_from);
  }
  if (!algorithms.empty()) {
    settings.collective.algorithms =
        parsed<collective::Algorithm>(algorithms, "--algorithm", collective::algorithm_from);
  }
  if (!segment.empty()) {
    settings.segment_bytes = probe::size_from(segment);
    require(settings.segment_bytes >= 256 && settings.segment_bytes <= probe::largest_size_bytes,
            "--segment: give a size from 256 to 64MiB");
  }
  if (!sizes.empty()) settings.sizes = probe::size_range_from(sizes);
  if (line.has("--rounds")) {
    settings.harness.min_rounds = settings.harness.max_rounds = rounds;
    settings.harness.budget_s = 1e9;
  }
  read_scales(scales, settings.schedules);
  probe::validate(settings.schedules, settings.probes);
  if (!preamble.empty()) options.preamble = lines_of(preamble);
  validate(settings);
  validate(settings.collective);
  return options;
}

record::Header header_of(int argc, char** argv, const Options& options) {
  return {.created_utc = utc_now(),
          .command = std::vector<std::string>(argv, argv + argc),
          .revision = std::string{revision},
          .on = options.on,
          .cpu = cpu_model(),
          .network = options.network};
}

}  // namespace stretto::tools
