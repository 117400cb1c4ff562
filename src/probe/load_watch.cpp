// SPDX-License-Identifier: BSD-3-Clause
#include "probe/load_watch.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace stretto::probe {
namespace {

constexpr double rest_s = 0.3;  // thirty units of the kernel's accounts

}  // namespace

LoadWatch::LoadWatch(measure::Team& team, std::vector<std::string> hosts, record::SampleFile* file)
    : team_(team), hosts_(std::move(hosts)), file_(file), last_(read()) {}

std::vector<LoadWatch::Reading> LoadWatch::read() {
  const auto activity = team_.host_activity();
  return team_.collect(
      Reading{.known = activity.has_value(), .activity = activity.value_or(measure::HostActivity{})});
}

void LoadWatch::record_before() {
  last_ = read();
  team_.rest(rest_s);
  record("before");
}

void LoadWatch::record(const std::string& when) {
  const std::vector<Reading> now = read();
  std::set<std::uint64_t> done;
  for (std::size_t rank = 0; rank < now.size(); ++rank) {
    const measure::HostActivity& begin = last_[rank].activity;
    const measure::HostActivity& end = now[rank].activity;
    const double seconds = end.now_s - begin.now_s;
    if (!now[rank].known || seconds <= 0 || !done.insert(end.machine).second) continue;
    double own_s = 0;
    int ranks = 0;
    for (std::size_t other = 0; other < now.size(); ++other) {
      if (now[other].activity.machine != end.machine) continue;
      own_s += now[other].activity.own_s - last_[other].activity.own_s;
      ++ranks;
    }
    const double others_s = end.busy_s - begin.busy_s - own_s;
    file_->append(record::Load{.host = rank < hosts_.size() ? hosts_[rank] : "",
                               .when = when,
                               .seconds = seconds,
                               .cores = end.cores,
                               .ranks = ranks,
                               .others_cores = std::max(0.0, others_s / seconds),
                               .stolen_cores = std::max(0.0, (end.stolen_s - begin.stolen_s) / seconds),
                               .waiting_share = std::max(0.0, (end.waiting_s - begin.waiting_s) / seconds),
                               .runnable = end.runnable});
  }
  last_ = now;
}

}  // namespace stretto::probe
