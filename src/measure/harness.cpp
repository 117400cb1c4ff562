// SPDX-License-Identifier: BSD-3-Clause
#include "measure/harness.hpp"

#include <algorithm>
#include <numeric>
#include <stretto/statistics.hpp>
#include <utility>

namespace stretto::measure {
namespace {

constexpr int attempts_at_a_sample = 4;

/// Whether so many samples were discarded that the case would not end by itself.
bool too_many_discarded(int rounds, int discarded) { return discarded > 20 + 2 * rounds; }

/// The sum over all ranks, on all ranks. Collective; also acts as a barrier.
CheckedTransfers total(Team& team, const CheckedTransfers& mine) {
  CheckedTransfers sum;
  for (const CheckedTransfers& one : team.collect(mine)) {
    sum.transfers += one.transfers;
    sum.wrong += one.wrong;
  }
  team.share(sum);
  return sum;
}

}  // namespace

Harness::Harness(Timekeeper& timekeeper, const HarnessSettings& settings, record::SampleFile* file)
    : timekeeper_(timekeeper),
      team_(timekeeper.team()),
      settings_(settings),
      file_(file),
      order_(settings.seed) {}

void Harness::record_noise_floor() {
  constexpr int steps = 101;
  std::vector<double> times_s;
  for (int i = 0; i < steps; ++i) {
    if (const auto measured = timekeeper_.time([](StepTimer&) {})) times_s.push_back(measured->time_s);
  }
  if (times_s.empty()) times_s.push_back(0);
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

std::int64_t Harness::run(std::vector<std::unique_ptr<Experiment>> cases) {
  std::vector<Session> sessions(1);
  sessions.front().cases = std::move(cases);
  return run(std::move(sessions));
}

std::int64_t Harness::run(std::vector<Session> sessions) {
  std::vector<std::size_t> first;  // number of the first case of each session
  for (const Session& session : sessions) {
    first.push_back(to_do_);
    to_do_ += session.cases.size();
  }
  begin_s_ = team_.now_s();
  std::int64_t wrong = 0;
  for (const std::size_t place : shuffled(sessions.size())) {
    Session& session = sessions[place];
    if (session.cases.empty()) continue;
    if (session.open) session.open();
    wrong += run_session(session, first[place]);
    if (session.close) session.close();
  }
  return wrong;
}

std::int64_t Harness::run_session(Session& session, std::size_t first_case) {
  std::int64_t wrong = 0;
  for (const std::size_t index : shuffled(session.cases.size())) {
    // The remaining cases share the remaining time equally.
    const double left_s = std::max(0.0, settings_.budget_s - (team_.now_s() - begin_s_));
    CheckedTransfers checked;
    run_case(*session.cases[index], static_cast<int>(first_case + index),
             left_s / static_cast<double>(to_do_--), checked);
    wrong += checked.wrong;
    session.cases[index].reset();
  }
  return wrong;
}

void Harness::run_case(Experiment& experiment, int case_index, double budget_s, CheckedTransfers& checked) {
  const double begin_s = team_.now_s();
  experiment.calibrate(timekeeper_);
  std::vector<Quantity> quantities = experiment.quantities();
  // Warm-ups are skipped when the budget is spent: calibration has run the step already.
  const int warm_ups = budget_s > 0 ? settings_.warm_ups : 0;
  for (int i = 0; i < warm_ups; ++i) {
    for (const Quantity& quantity : quantities) (void)timekeeper_.time(quantity.step);
  }

  Stopper stopper({.max_noise = settings_.max_noise,
                   .min_rounds = settings_.min_rounds,
                   .max_rounds = settings_.max_rounds,
                   .budget_s = budget_s},
                  quantities.size());
  record::Sample sample{.probe = experiment.probe(),
                        .case_index = case_index,
                        .ranks = team_.size(),
                        .axes = experiment.axes()};
  TrafficSum traffic(experiment, quantities.size());
  int discarded = 0;
  int ended = -1;
  while (ended < 0) {
    std::vector<double> times_s(quantities.size());
    sample.round = stopper.rounds();
    if (run_round(experiment, sample, quantities, times_s, checked, traffic)) {
      stopper.add_round(times_s);
    } else {
      ++discarded;
    }
    if (const auto reason = stopper.decide(team_.now_s() - begin_s)) ended = static_cast<int>(*reason);
    if (too_many_discarded(stopper.rounds(), discarded)) ended = static_cast<int>(StopReason::budget);
    team_.share(ended);  // rank 0 decides, because clocks differ between ranks
  }

  traffic.record(team_, sample.probe, case_index, quantities, file_);
  if (settings_.check) checked = total(team_, checked);
  if (file_ == nullptr) return;
  if (settings_.check) {
    file_->append(record::Checked{.probe = sample.probe,
                                  .case_index = case_index,
                                  .transfers = checked.transfers,
                                  .wrong = checked.wrong});
  }
  file_->append(record::CaseEnd{.probe = sample.probe,
                                .case_index = case_index,
                                .ended_by = std::string{to_string(static_cast<StopReason>(ended))},
                                .rounds = stopper.rounds(),
                                .discarded = discarded});
}

bool Harness::run_round(Experiment& experiment, record::Sample sample,
                        const std::vector<Quantity>& quantities, std::vector<double>& times_s,
                        CheckedTransfers& checked, TrafficSum& traffic) {
  // Rows are written when the round is complete, because the quantities of a round are compared pairwise.
  std::vector<record::Sample> rows;
  for (const std::size_t index : shuffled(quantities.size())) {
    const Quantity& quantity = quantities[index];
    const auto measured = run_sample(experiment, quantity, checked, traffic);
    if (!measured) return false;
    traffic.add(index);
    times_s[index] = measured->time_s;
    sample.quantity = quantity.name;
    sample.messages = quantity.messages;
    sample.time_s = measured->time_s;
    sample.mean = measured->mean;
    sample.smallest = measured->smallest;
    sample.largest = measured->largest;
    rows.push_back(sample);
    record::Fields& axes = rows.back().axes;
    axes.insert(axes.end(), quantity.axes.begin(), quantity.axes.end());
  }
  if (file_ != nullptr) {
    for (const record::Sample& row : rows) file_->append(row);
  }
  return true;
}

std::optional<Measurement> Harness::run_sample(Experiment& experiment, const Quantity& quantity,
                                               CheckedTransfers& checked, TrafficSum& traffic) {
  for (int attempt = 0; attempt < attempts_at_a_sample; ++attempt) {
    const auto seed = static_cast<std::uint32_t>(order_());
    if (settings_.check) {
      experiment.fill(seed);
      (void)total(team_, CheckedTransfers{});  // no rank starts before all have filled
    }
    traffic.before();
    const auto measured = timekeeper_.time(quantity.step);
    traffic.after();
    if (settings_.check) {
      const CheckedTransfers mine = experiment.verify(quantity.name, seed);
      checked.transfers += mine.transfers;
      checked.wrong += mine.wrong;
      (void)total(team_, CheckedTransfers{});  // no rank fills again before all have verified
    }
    if (measured) return measured;
  }
  return std::nullopt;
}

}  // namespace stretto::measure
