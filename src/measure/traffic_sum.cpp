// SPDX-License-Identifier: BSD-3-Clause
#include "measure/traffic_sum.hpp"

#include <algorithm>

namespace stretto::measure {
namespace {

struct Entry {
  std::int32_t quantity = -1;  // -1: padding
  PathCount count;
};

bool moved(const PathCount& count) { return count.operations != 0 || count.messages != 0; }

}  // namespace

TrafficSum::TrafficSum(const Experiment& experiment, std::size_t quantities)
    : experiment_(experiment), sums_(quantities) {}

void TrafficSum::before() { earlier_ = experiment_.path_counts(); }

void TrafficSum::after() {
  step_ = experiment_.path_counts();
  for (std::size_t i = 0; i < step_.size(); ++i) {
    step_[i].operations -= earlier_[i].operations;
    step_[i].bytes -= earlier_[i].bytes;
    step_[i].messages -= earlier_[i].messages;
  }
}

void TrafficSum::add(std::size_t quantity) {
  Sum& sum = sums_[quantity];
  ++sum.steps;
  if (sum.counts.empty()) {
    sum.counts = step_;
    return;
  }
  for (std::size_t i = 0; i < step_.size(); ++i) {
    sum.counts[i].operations += step_[i].operations;
    sum.counts[i].bytes += step_[i].bytes;
    sum.counts[i].messages += step_[i].messages;
  }
}

void TrafficSum::record(Team& team, const std::string& probe, int case_index,
                        const std::vector<Quantity>& quantities, record::SampleFile* file) const {
  const auto paths = experiment_.paths();
  if (paths.empty()) return;
  std::vector<Entry> mine;
  for (std::size_t quantity = 0; quantity < sums_.size(); ++quantity) {
    for (const PathCount& count : sums_[quantity].counts) {
      if (moved(count)) mine.push_back({.quantity = static_cast<std::int32_t>(quantity), .count = count});
    }
  }
  auto most = static_cast<std::int64_t>(mine.size());
  for (const std::int64_t size : team.collect(most)) most = std::max(most, size);
  team.share(most);
  if (most == 0) return;
  mine.resize(static_cast<std::size_t>(most));
  std::vector<Entry> all(file == nullptr ? 0 : mine.size() * static_cast<std::size_t>(team.size()));
  team.gather(std::as_bytes(std::span{mine}), std::as_writable_bytes(std::span{all}));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Entry& entry = all[i];
    if (entry.quantity < 0) continue;
    const auto quantity = static_cast<std::size_t>(entry.quantity);
    file->append(record::Traffic{.probe = probe,
                                 .case_index = case_index,
                                 .quantity = quantities[quantity].name,
                                 .origin = static_cast<int>(i / mine.size()),
                                 .target = entry.count.target,
                                 .path = std::string{paths[static_cast<std::size_t>(entry.count.path)]},
                                 .steps = sums_[quantity].steps,
                                 .operations = entry.count.operations,
                                 .bytes = entry.count.bytes,
                                 .messages = entry.count.messages});
  }
}

}  // namespace stretto::measure
