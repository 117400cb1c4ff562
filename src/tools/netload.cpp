// SPDX-License-Identifier: BSD-3-Clause
// stretto-netload: raw TCP between two emulated hosts, without MPI. It prints measurements as JSON lines;
// python/stretto/launch/selftest.py judges them.
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "measure/clock.hpp"
#include "tools/bound.hpp"
#include "tools/command_line.hpp"
#include "tools/netload_link.hpp"
#include "tools/netload_step.hpp"
#include "tools/program.hpp"

namespace {

using nlohmann::json;
using stretto::tools::CommandLine;
using stretto::tools::Leader;
using stretto::tools::Link;
using stretto::tools::StepTime;

struct Options {
  std::string address;
  std::uint16_t port = 7057;
  std::uint64_t size_bytes = 1U << 20;
  std::vector<std::uint64_t> sizes_bytes;
  int rounds = 7;
  int window_ms = 0;
  bool both_ways = false;
};

constexpr int transfer_repeats = 3;
/// Longer than TCP's shortest retransmission timeout, after which it starts slowly again.
constexpr std::chrono::milliseconds idle_time{250};

void print(const json& row) { std::cout << row.dump() << std::endl; }

/// Seconds in interrupts since boot, summed over all processors; they include the timers of a traffic
/// shaper.
double interrupt_cpu_s() {
  std::ifstream stat("/proc/stat");
  std::string word;
  std::array<double, 7> ticks{};  // user, nice, system, idle, iowait, irq, softirq
  stat >> word;
  for (double& tick : ticks) stat >> tick;
  return (ticks[5] + ticks[6]) / 100.0;  // USER_HZ
}

void serve(const Options& options) {
  const stretto::tools::Listener listener(options.address, options.port);
  stretto::measure::CountedWorker worker;
  const Link control = listener.accept();
  const Link data = listener.accept();
  stretto::tools::follow(control, data, worker);
}

/// Measures the rate at which data arrives: from the first arrival to the last, without the bytes of the
/// first.
void stream(Leader& leader, const Options& options) {
  const double interrupts_before_s = interrupt_cpu_s();
  const double window_end_s = stretto::measure::monotonic_s() + options.window_ms / 1e3;
  const StepTime time = leader.run({.size_bytes = options.size_bytes});
  std::this_thread::sleep_for(std::chrono::duration<double>(window_end_s - stretto::measure::monotonic_s()));
  print({{"stream", options.size_bytes - time.first_bytes},
         {"seconds", time.last_end_s - time.first_arrival_s},
         {"first_arrival_s", time.first_arrival_s},
         {"last_end_s", time.last_end_s},
         {"process_cpu_s", time.cpu_s},
         {"interrupt_cpu_s", interrupt_cpu_s() - interrupts_before_s}});
}

void transfer(Leader& leader, const Options& options) {
  (void)leader.run({.size_bytes = std::uint64_t{8} << 20});  // opens the congestion window
  for (const std::uint64_t size : options.sizes_bytes) {
    for (int i = 0; i < transfer_repeats; ++i) {
      for (const bool idle : {true, false}) {
        if (idle) std::this_thread::sleep_for(idle_time);
        const StepTime time = leader.run({.size_bytes = size});
        print({{"transfer", size}, {"after", idle ? "idle" : "transfer"}, {"time_s", time.elapsed_s()}});
      }
    }
  }
}

void bound(Leader& leader, const Options& options) {
  for (const auto& round :
       stretto::tools::overlap_rounds(leader, options.size_bytes, options.both_ways, options.rounds)) {
    print({{"bound", options.both_ways ? "both-ways" : "one-way"},
           {"size_bytes", options.size_bytes},
           {"T_c", round.transfer_s},
           {"T_w", round.work_s},
           {"T_t", round.together_s},
           {"computing_alone_s", round.computing_alone_s},
           {"computing_together_s", round.computing_together_s}});
  }
}

int run(int argc, char** argv) {
  CommandLine line("Raw TCP between two emulated hosts: the self-tests of the emulated substrate",
                   "stretto-netload");
  Options options;
  const auto add = [&](const char* name, const char* what) -> CommandLine& {
    CommandLine& command = line.command(name, what);
    command.add("address", &options.address, "IPv4 address of the serving host", {.required = true});
    command.add("--port", &options.port);
    return command;
  };
  const CommandLine& serving = add("serve", "Take the other side's part until it goes away");
  CommandLine& streaming = add("stream", "One long transfer");
  streaming.add("--size", &options.size_bytes, "bytes");
  streaming.add("--window-ms", &options.window_ms, "count interrupts for at least so long");
  CommandLine& transfers = add("transfer", "Transfers after idle and back to back");
  transfers.add("--sizes", &options.sizes_bytes, "bytes", {.required = true, .commas = true});
  CommandLine& overlap = add("bound", "Transfers concurrent with computation");
  overlap.add("--size", &options.size_bytes, "bytes");
  overlap.add("--rounds", &options.rounds, {}, {.range = {1, 1e9}});
  overlap.add("--both-ways", &options.both_ways);
  if (const std::string help = line.parse(argc, argv); !help.empty()) {
    std::cout << help;
    return 0;
  }
  if (serving.chosen()) {
    serve(options);
    return 0;
  }
  stretto::measure::CountedWorker worker;
  Link control = Link::connect(options.address, options.port);
  Link data = Link::connect(options.address, options.port);
  Leader leader(std::move(control), std::move(data), worker);
  const auto action = streaming.chosen() ? stream : transfers.chosen() ? transfer : bound;
  action(leader, options);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return stretto::tools::run_program("stretto-netload", [&] { return run(argc, argv); });
}
