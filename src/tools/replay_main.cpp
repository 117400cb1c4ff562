// SPDX-License-Identifier: BSD-3-Clause
// stretto-replay: replays a GOAL schedule or a trace on LogGP networks and prints one JSON document. No
// MPI. Exit status as everywhere.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "replay/batch.hpp"
#include "replay/deadlock.hpp"
#include "replay/goal.hpp"
#include "replay/streamed_trace.hpp"
#include "replay/trace_file.hpp"
#include "replay/trace_schedule.hpp"
#include "tools/command_line.hpp"
#include "tools/program.hpp"
#include "version.hpp"

namespace {

using namespace stretto;
using Json = nlohmann::ordered_json;

constexpr const char* program = "stretto-replay";
constexpr unsigned on_all_cores = 0;

struct Options {
  std::string file;
  std::vector<std::string> networks;
  std::string write;
  std::string progress = "offload";
  double compute_scale = 1;
  std::string level = "traced";
  std::string help;
};

Options options_from(int argc, char** argv) {
  Options options;
  tools::CommandLine line("Replay of GOAL schedules, stretto " + std::string{version});
  line.add("FILE", &options.file, "a schedule, GOAL text or LogGOPSim's binary, or the directory of a trace",
           {.required = true});
  line.add("--loggp", &options.networks,
           "L=..,o=..,g=..,G=..,O=..,S=..,B=..,node=RANKS,L_node=..[;from=SIZE,...]; again for more",
           {.again = true});
  line.add("--write", &options.write, "write the schedule to this file, *.bin as binary");
  line.add("--progress-model", &options.progress, "offload, eager-only, inside-calls or thread=PERIOD");
  line.add("--compute-scale", &options.compute_scale, "of a trace: computation takes this many times as long",
           {.range = {0, 1e6}});
  line.add("--level", &options.level,
           "of a trace: traced, independent, consumer or producer-consumer overlap");
  options.help = line.parse(argc, argv);
  if (!options.help.empty()) return options;
  if (options.networks.empty() && options.write.empty()) {
    throw std::invalid_argument("--loggp: say of which network, such as --loggp L=2us,o=1us,g=1us,G=0.1ns");
  }
  return options;
}

void write_schedule(const replay::Schedule& schedule, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << (path.ends_with(".bin") ? replay::to_goal_binary(schedule) : replay::to_goal_text(schedule));
  file.close();
  if (!file) throw std::invalid_argument("--write: cannot write " + path);
}

Json range_json(const network::NetworkRange& range) {
  return {{"from_bytes", range.from_bytes},
          {"latency_s", range.loggp.latency_s},
          {"overhead_send_s", range.loggp.overhead_send_s},
          {"overhead_receive_s", range.loggp.overhead_receive_s},
          {"gap_s", range.loggp.gap_s},
          {"gap_s_per_byte", range.loggp.gap_s_per_byte}};
}

Json network_json(const network::Network& network) {
  Json ranges = Json::array();
  for (const network::NetworkRange& range : network.ranges) ranges.push_back(range_json(range));
  Json json = {{"ranges", ranges}, {"overhead_s_per_byte", network.overhead_s_per_byte}};
  const bool limited = network.eager_bytes <= replay::largest_amount;
  json["eager_bytes"] = limited ? Json(network.eager_bytes) : Json(nullptr);
  if (network.buffer_bytes != 0) json["buffer_bytes"] = network.buffer_bytes;
  if (network.node_ranks != 0) {
    json["node_ranks"] = network.node_ranks;
    json["node_latency_s"] = network.node_latency_s;
  }
  json["progress_model"] = network::progress_text(network);
  return json;
}

Json replay_json(std::uint32_t ranks, const network::Network& network, const replay::TimedReplay& replay,
                 double compile_s) {
  const auto operations = static_cast<double>(replay.result.operations);
  return {{"makespan_s", replay.result.makespan_s},
          {"all_ranks_s", replay.result.all_ranks_s},
          {"operations", replay.result.operations},
          {"events", replay.result.events()},
          {"operations_per_second", operations / (replay.elapsed_s + compile_s)},
          {"ranks", ranks},
          {"unreceived", replay.result.unreceived},
          {"network", network_json(network)}};
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The name of an operation in its file: `l7 (FILE:12) `.
std::string name_of(const replay::Schedule& schedule, const std::string& file, const std::string& text,
                    replay::OperationId id) {
  const std::uint32_t line = schedule.line[id];
  if (line == 0) {
    const std::uint32_t number = id - schedule.first_operation[schedule.rank_of(id)];
    return "operation " + std::to_string(number) + " ";
  }
  const std::string label = replay::label_at(text, line);
  return (label.empty() ? "" : label + " ") + "(" + file + ":" + std::to_string(line) + ") ";
}

/// A name that the system refuses is none; reading it as a file tells why.
bool is_directory(const std::string& name) {
  std::error_code refused;
  return std::filesystem::is_directory(name, refused);
}

/// The files of a trace, by rank.
using TraceFiles = std::vector<std::filesystem::path>;

/// Describes in one line which ranks wait for each other.
std::string explanation(const replay::Schedule& schedule, const replay::Stuck& stuck, const std::string& file,
                        bool traced) {
  const std::string text = traced ? std::string() : replay::read_whole(file);
  return describe(schedule, find_deadlock(schedule, stuck),
                  [&](replay::OperationId id) { return name_of(schedule, file, text, id); });
}

/// `compile_s` is of `elapsed_s`.
Json replays_json(std::uint32_t ranks, const std::vector<network::Network>& networks,
                  const std::vector<replay::TimedReplay>& replays, double elapsed_s, double compile_s) {
  if (networks.size() == 1) return replay_json(ranks, networks[0], replays[0], compile_s);
  Json json = {{"operations", replays[0].result.operations},
               {"ranks", ranks},
               {"elapsed_s", elapsed_s},
               {"replays", Json::array()}};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    json["replays"].push_back(replay_json(ranks, networks[i], replays[i], 0));
  }
  return json;
}

Json replays_json(const replay::Schedule& schedule, const std::vector<network::Network>& networks) {
  const auto begin = std::chrono::steady_clock::now();
  const replay::CompiledSchedule compiled(schedule);
  const double compile_s = seconds_since(begin);
  const auto replays = replay::replay_all(schedule, compiled, networks, on_all_cores);
  return replays_json(schedule.ranks(), networks, replays, seconds_since(begin), compile_s);
}

/// The contents of the trace and how they were used.
Json summary_json(const replay::TraceSummary& summary) {
  return {{"records", summary.records},
          {"messages", summary.messages},
          {"produced", summary.produced},
          {"consumed", summary.consumed},
          {"collectives", summary.collectives},
          {"one_sided", summary.one_sided},
          {"incomplete", summary.incomplete},
          {"span_s", summary.span_s},
          {"all_ranks_s", summary.all_ranks_s},
          {"compute_s", summary.compute_s},
          {"as_computation", summary.as_computation}};
}

replay::TraceOptions trace_options(const Options& options) {
  return {.compute_scale = options.compute_scale,
          .level = replay::level_named(options.level),
          .by_ranks = options.progress != "offload"};
}

/// Reads the schedule from a GOAL file, or from `files` of a trace; `trace` receives the summary of the
/// traces.
replay::Schedule schedule_from(const Options& options, const TraceFiles& files, Json& trace) {
  if (files.empty()) return replay::read_goal(options.file);
  replay::TracedSchedule traced = replay::schedule_of_trace(files, trace_options(options));
  trace = summary_json(traced.summary);
  return std::move(traced.schedule);
}

/// The part of the machine's memory that a schedule may take; what does not fit into its columns lies in the
/// system's cache of files.
std::uint64_t max_schedule_bytes() {
  const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
  return std::max<std::uint64_t>(pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2,
                                 replay::column_memory_bytes);
}

/// The records of a trace; where a file was cut off, as many as fit into it.
std::uint64_t records_in(const TraceFiles& files) {
  std::uint64_t records = 0;
  for (const std::filesystem::path& file : files) {
    const replay::TraceReader reader(file, replay::Limited::is_read);
    records += reader.file().complete() ? reader.file().trailer().records : reader.max_records();
  }
  return records;
}

/// A record takes a byte at least.
std::uint64_t bytes_of(const TraceFiles& files) {
  return std::transform_reduce(files.begin(), files.end(), std::uintmax_t{0}, std::plus<>(),
                               [](const std::filesystem::path& file) { return file_size(file); });
}

/// The trace, if its schedule would not fit into memory, and if it can be replayed without one.
std::optional<replay::StreamedTrace> long_trace_from(const Options& options, const TraceFiles& files) {
  constexpr std::uint64_t bytes_an_operation = 80;      // of a schedule and its replay
  constexpr std::uint64_t max_operations_a_record = 4;  // but in collectives of many ranks
  if (files.empty() || !options.write.empty()) return {};
  const std::uint64_t max_operations = max_schedule_bytes() / bytes_an_operation;
  const std::uint64_t max_records = max_operations / max_operations_a_record;
  // To count the operations takes as long as to read them, and to count the records opens each file.
  if (bytes_of(files) <= max_records || records_in(files) <= max_records) return {};
  std::optional<replay::StreamedTrace> trace = replay::streamed_trace(files, trace_options(options));
  if (trace && trace->operations() <= max_operations) trace.reset();
  return trace;
}

/// The document of a long trace; none: its schedule tells why it does not end.
std::optional<Json> replays_json(const replay::StreamedTrace& trace,
                                 const std::vector<network::Network>& networks) {
  try {
    const auto begin = std::chrono::steady_clock::now();
    const auto replays = replay::replay_all(trace, networks, on_all_cores);
    Json json = replays_json(trace.ranks(), networks, replays, seconds_since(begin), 0);
    json["trace"] = summary_json(trace.summary);
    return json;
  } catch (const replay::Stuck&) {
    return {};
  }
}

int run(const Options& options) {
  std::vector<network::Network> networks;
  networks.reserve(options.networks.size());
  for (const std::string& spec : options.networks) {
    networks.push_back(network::network_from(spec));
    network::set_progress(networks.back(), options.progress);
  }
  const TraceFiles files = is_directory(options.file) ? replay::trace_files(options.file) : TraceFiles();
  if (const auto long_trace = long_trace_from(options, files)) {
    if (const std::optional<Json> json = replays_json(*long_trace, networks)) {
      std::puts(json->dump(1).c_str());
      return 0;
    }
  }
  Json trace;
  const replay::Schedule schedule = schedule_from(options, files, trace);
  if (!options.write.empty()) write_schedule(schedule, options.write);
  if (networks.empty()) return 0;
  try {
    Json json = replays_json(schedule, networks);
    if (!trace.is_null()) json["trace"] = trace;
    std::puts(json.dump(1).c_str());
    return 0;
  } catch (const replay::Stuck& stuck) {
    return tools::fail(program, explanation(schedule, stuck, options.file, !files.empty()).c_str(), 3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return tools::run_program(
      program,
      [&] {
        const Options options = options_from(argc, argv);
        std::fputs(options.help.c_str(), stdout);
        return options.help.empty() ? run(options) : 0;
      },
      "the schedule needs more space than there is in memory and in TMPDIR (or /var/tmp): "
      "name a larger disk by TMPDIR");
}
