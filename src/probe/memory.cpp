// SPDX-License-Identifier: BSD-3-Clause
#include "probe/memory.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace stretto::probe {
namespace {

constexpr double usable_share = 0.9;  // the rest is for the MPI library and other processes
constexpr double unknown = std::numeric_limits<double>::infinity();

double meminfo_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    double kibibytes = 0;
    if (words >> name >> kibibytes && name == "MemAvailable:") return kibibytes * 1024;
  }
  return unknown;
}

double number_in(const char* path) {
  std::ifstream file(path);
  double number = 0;
  return file >> number ? number : unknown;  // `max` is no number
}

/// The unused part of the container's limit. Page caches count as unused, because the kernel can reclaim
/// them.
double control_group_bytes() {
  const double limit = number_in("/sys/fs/cgroup/memory.max");
  const double used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == unknown || used == unknown) return unknown;
  double caches = 0;
  std::ifstream file("/sys/fs/cgroup/memory.stat");
  std::string name;
  for (double bytes = 0; file >> name >> bytes;) {
    if (name == "file") caches = bytes;
  }
  return limit - used + caches;
}

std::string gibibytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1 << 30));
  return text;
}

}  // namespace

double available_bytes() { return std::min(meminfo_bytes(), control_group_bytes()); }

void require_memory(measure::Team& team, double bytes_per_rank, const std::string& what,
                    const std::string& advice) {
  double available = available_bytes();
  const std::vector<double> all = team.collect(available);
  if (!all.empty()) available = std::ranges::min(all);
  team.share(available);
  const double needed = bytes_per_rank * team.ranks_on_machine();
  if (needed <= usable_share * available) return;
  throw std::invalid_argument(what + ": needs about " + gibibytes(needed) + " on a machine that has " +
                              gibibytes(available) + " left: " + advice);
}

}  // namespace stretto::probe
