// SPDX-License-Identifier: BSD-3-Clause
// How fast schedules are replayed, in this process: TURNS times each, one line of JSON a schedule, with the
// times of every turn. With --write DIR the schedules become GOAL files instead.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "replay/batch.hpp"
#include "replay/goal.hpp"
#include "replay_schedules.hpp"

namespace {

using namespace stretto;

struct Case {
  const char* name;
  std::function<replay::Schedule()> make;
};

const Case cases[] = {
    {"halo-1024", [] { return bench::halo(32, 32, 400, 8192, 20000); }},
    {"all-to-all-1024", [] { return bench::all_to_all(1024, 1024); }},
    {"recursive-doubling-65536", [] { return bench::recursive_doubling(16, 1024, 500); }},
};

constexpr const char* network_text = "L=2us,o=0.5us,g=0.7us,G=0.1ns";
constexpr int batch_networks = 64;

double elapsed_s(const std::function<void()>& what) {
  const auto begin = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Processor time of all threads of this process; other processes on the cores are not counted.
double processor_s(const std::function<void()>& what) {
  const auto now_s = [] {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const double begin_s = now_s();
  what();
  return now_s() - begin_s;
}

/// As a sweep has them: latency and bandwidth over two decades each.
std::vector<network::Network> sweep() {
  std::vector<network::Network> networks(batch_networks, network::network_from(network_text));
  for (int i = 0; i < batch_networks; ++i) {
    networks[static_cast<std::size_t>(i)].ranges[0].loggp.latency_s = 0.5e-6 * (1 + i % 8);
    networks[static_cast<std::size_t>(i)].ranges[0].loggp.gap_s_per_byte = 0.05e-9 * (1 << i / 8);
  }
  return networks;
}

double peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void measure(const Case& one, int turns, bool batch) {
  const replay::Schedule schedule = one.make();
  const network::Network network = network::network_from(network_text);
  nlohmann::json compiling = nlohmann::json::array();
  nlohmann::json fresh = nlohmann::json::array();
  nlohmann::json again = nlohmann::json::array();
  nlohmann::json batched = nlohmann::json::array();
  nlohmann::json batch_processor = nlohmann::json::array();
  replay::ReplayResult result;
  for (int turn = 0; turn < turns; ++turn) {
    std::optional<replay::CompiledSchedule> compiled;
    compiling.push_back(processor_s([&] { compiled.emplace(schedule); }));
    std::optional<replay::Replayer> replayer;
    fresh.push_back(processor_s([&] {
      replayer.emplace(schedule, *compiled);
      result = replayer->run(network);
    }));
    again.push_back(processor_s([&] { result = replayer->run(network); }));
    if (!batch) continue;
    batch_processor.push_back(processor_s(
        [&] { batched.push_back(elapsed_s([&] { (void)replay_all(schedule, *compiled, sweep(), 0); })); }));
  }
  const nlohmann::json line = {{"schedule", one.name},
                               {"network", network_text},
                               {"operations", result.operations},
                               {"events", result.events()},
                               {"makespan_s", result.makespan_s},
                               {"compile_s", compiling},
                               {"replay_s", fresh},
                               {"again_s", again},
                               {"batch_s", batched},
                               {"batch_processor_s", batch_processor},
                               {"batch_networks", batch_networks},
                               {"peak_bytes", peak_bytes()}};
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

}  // namespace

/// replay_bench NAME TURNS [batch] | replay_bench NAME --write FILE
int main(int argc, char** argv) try {
  if (argc < 3) {
    fmt::print(stderr, "replay_bench: give NAME TURNS [batch], or NAME --write FILE\n");
    return 2;
  }
  for (const Case& one : cases) {
    if (std::string(argv[1]) != one.name) continue;
    if (std::string(argv[2]) == "--write" && argc > 3) {
      std::ofstream(argv[3]) << replay::to_goal_text(one.make());
    } else {
      measure(one, std::atoi(argv[2]), argc > 3);
    }
    return 0;
  }
  fmt::print(stderr, "replay_bench: there is no schedule {}\n", argv[1]);
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "replay_bench: %s\n", error.what());
  return 1;
}
