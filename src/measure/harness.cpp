// SPDX-License-Identifier: BSD-3-Clause
#include "measure/harness.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "measure/statistics.hpp"

namespace stretto::measure {

Harness::Harness(Timekeeper& timekeeper, const HarnessSettings& settings, record::SampleFile* file)
    : timekeeper_(timekeeper),
      team_(timekeeper.team()),
      settings_(settings),
      file_(file),
      order_(settings.seed) {}

void Harness::record_noise_floor() {
  constexpr int steps = 101;
  const std::vector<double> times_s = timekeeper_.times_s([](StepTimer&) {}, steps);
  if (file_ != nullptr) {
    file_->append(record::NoiseFloor{.value_s = median(times_s) + interquartile_range(times_s),
                                     .n = static_cast<int>(times_s.size())});
  }
}

std::vector<std::size_t> Harness::shuffled(std::size_t size) {
  std::vector<std::size_t> sequence(size);
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::shuffle(sequence.begin(), sequence.end(), order_);
  return sequence;
}

/// The time until `end_s`. The same on all ranks, because it decides what they do next.
double Harness::left_s(double end_s) {
  double left_s = std::max(0.0, end_s - team_.now_s());
  team_.share(left_s);
  return left_s;
}

std::int64_t Harness::run(std::vector<std::unique_ptr<Experiment>> cases) {
  std::vector<CaseGroup> groups(1);
  groups.front().cases = std::move(cases);
  return run(std::move(groups));
}

std::int64_t Harness::run(std::vector<CaseGroup> groups) {
  std::vector<std::size_t> first;  // number of the first case of each group
  for (const CaseGroup& group : groups) {
    first.push_back(to_do_);
    to_do_ += group.cases.size();
  }
  begin_s_ = team_.now_s();
  std::int64_t wrong = 0;
  for (const std::size_t place : shuffled(groups.size())) {
    CaseGroup& group = groups[place];
    if (group.cases.empty()) continue;
    if (group.open) group.open();
    wrong += run_group(group, first[place]);
    if (group.close) group.close();
  }
  return wrong;
}

std::int64_t Harness::run_group(CaseGroup& group, std::size_t first_case) {
  // The remaining groups share the remaining time by their cases.
  const std::size_t count = group.cases.size();
  const double share = static_cast<double>(count) / static_cast<double>(to_do_);
  const double end_s = team_.now_s() + share * left_s(begin_s_ + settings_.budget_s);
  to_do_ -= count;
  std::vector<std::unique_ptr<CaseRun>> cases;
  for (const std::size_t index : shuffled(count)) {
    cases.push_back(std::make_unique<CaseRun>(timekeeper_, settings_, order_, file_,
                                              std::move(group.cases[index]),
                                              static_cast<int>(first_case + index)));
  }
  std::int64_t wrong = 0;
  first_visits(cases, end_s, wrong);
  while (!cases.empty()) further_visits(cases, end_s, wrong);
  return wrong;
}

void Harness::first_visits(std::vector<std::unique_ptr<CaseRun>>& cases, double end_s, std::int64_t& wrong) {
  std::vector<std::unique_ptr<CaseRun>> open;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double left = left_s(end_s);
    const bool last = !cases[i]->may_pause() || left <= 0;
    const Turn turn{.rounds = cases[i]->rounds_of_visit(),
                    .time_s = left / static_cast<double>(cases.size() - i),
                    .last = last};
    if (cases[i]->visit(turn)) {
      wrong += cases[i]->checked().wrong;
      cases[i].reset();  // frees its memory
    } else {
      open.push_back(std::move(cases[i]));
    }
  }
  cases = std::move(open);
}

void Harness::further_visits(std::vector<std::unique_ptr<CaseRun>>& cases, double end_s,
                             std::int64_t& wrong) {
  const std::size_t count = cases.size();
  for (const std::size_t index : shuffled(count)) {
    const double left = left_s(end_s);
    const Turn turn{.rounds = cases[index]->rounds_of_visit(),
                    .time_s = left / static_cast<double>(count),
                    .last = left <= 0};
    if (!cases[index]->visit(turn)) continue;
    wrong += cases[index]->checked().wrong;
    cases[index].reset();
  }
  std::erase(cases, nullptr);
}

}  // namespace stretto::measure
