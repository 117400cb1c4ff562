// SPDX-License-Identifier: BSD-3-Clause
// Linux' accounts of a thread and of the machine. A file that is missing (an old kernel, a sandbox) leaves
// its members zero.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "exchange/platform.hpp"
#include "measure/clock.hpp"

namespace stretto::exchange {
namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The calling thread's scheduler statistics: processor time, waiting time (both ns), time slices. The file
/// stays open, because it is read before and after every timed step.
class SchedulerStatistics {
 public:
  SchedulerStatistics() : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}
  SchedulerStatistics(const SchedulerStatistics&) = delete;
  SchedulerStatistics& operator=(const SchedulerStatistics&) = delete;
  ~SchedulerStatistics() {
    if (file_ >= 0) ::close(file_);
  }

  [[nodiscard]] std::optional<double> waited_s() const {
    std::array<char, 96> text{};
    if (file_ < 0 || ::pread(file_, text.data(), text.size() - 1, 0) <= 0) return std::nullopt;
    unsigned long long waited_ns = 0;
    if (std::sscanf(text.data(), "%*u %llu", &waited_ns) != 1) return std::nullopt;
    return 1e-9 * static_cast<double>(waited_ns);
  }

 private:
  int file_;
};

/// Seconds in the columns of the line `cpu` of /proc/stat, and the number of tasks that run or wait.
bool read_stat(measure::HostActivity& activity) {
  std::ifstream file("/proc/stat");
  const double tick_s = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name == "cpu") {
      // user nice system idle iowait irq softirq steal; steal is counted apart from the others
      std::array<double, 8> ticks{};
      for (double& one : ticks) words >> one;
      activity.busy_s = tick_s * (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]);
      activity.stolen_s = tick_s * ticks[7];
      found = true;
    } else if (name == "procs_running") {
      words >> activity.runnable;
    }
  }
  return found;
}

/// The total of the first line of /proc/pressure/cpu, `some avg10=.. avg60=.. avg300=.. total=MICROSECONDS`.
double waiting_s() {
  std::ifstream file("/proc/pressure/cpu");
  std::string line;
  std::getline(file, line);
  const std::size_t place = line.find("total=");
  return place == std::string::npos ? 0 : 1e-6 * std::strtod(line.c_str() + place + 6, nullptr);
}

}  // namespace

// A kernel that counts switches and not the time that they cost: each is taken for a short time slice.
measure::ProcessorAccount platform_processor_account() {
  constexpr double assumed_wait_s = 1e-3;
  static thread_local const SchedulerStatistics statistics;
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  const auto switches = static_cast<std::int64_t>(usage.ru_nivcsw);
  const double used_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  return {.waited_s = statistics.waited_s().value_or(assumed_wait_s * static_cast<double>(switches)),
          .other_threads_s = used_s - seconds_of(CLOCK_THREAD_CPUTIME_ID),
          .used_s = used_s,
          .switches = switches};
}

std::optional<measure::HostActivity> platform_activity() {
  measure::HostActivity activity;
  activity.now_s = measure::monotonic_s();
  if (!read_stat(activity)) return std::nullopt;
  activity.waiting_s = waiting_s();
  activity.own_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  activity.cores = platform_cores();
  return activity;
}

void platform_rest(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace stretto::exchange
