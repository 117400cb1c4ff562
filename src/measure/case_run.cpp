// SPDX-License-Identifier: BSD-3-Clause
#include "measure/case_run.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace stretto::measure {
namespace {

constexpr int attempts_at_a_sample = 4;
constexpr int failures_to_pause = 3;  // rounds in a row
constexpr int fewest_rounds = 3;      // they give a median even of a case that far exceeds its budget

// What rank 0 decides after a round, in addition to the reasons to end.
constexpr int go_on = -1;
constexpr int pause = -2;

/// Whether so many rounds were discarded that the case would not end by itself.
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

CaseRun::CaseRun(Timekeeper& timekeeper, const HarnessSettings& settings, std::mt19937_64& order,
                 record::SampleFile* file, std::unique_ptr<Experiment> experiment, int index)
    : timekeeper_(timekeeper),
      team_(timekeeper.team()),
      settings_(settings),
      order_(order),
      file_(file),
      experiment_(std::move(experiment)),
      index_(index) {}

int CaseRun::rounds_of_visit() const {
  const int least = (settings_.min_rounds + settings_.visits - 1) / settings_.visits;
  return std::max(least, stopper_ ? stopper_->rounds() / 3 : 0);
}

void CaseRun::begin() {
  experiment_->calibrate(timekeeper_);
  quantities_ = experiment_->quantities();
  stopper_.emplace(StoppingRule{.max_noise = settings_.max_noise,
                                .min_rounds = settings_.min_rounds,
                                .max_rounds = settings_.max_rounds,
                                .max_error = settings_.max_error},
                   quantities_.size(), experiment_->figure());
  traffic_.emplace(*experiment_, quantities_.size());
  sample_ = {.probe = experiment_->probe(),
             .case_index = index_,
             .ranks = team_.size(),
             .axes = experiment_->axes()};
}

void CaseRun::warm_up(int times) {
  for (int i = 0; i < times; ++i) {
    for (const Quantity& quantity : quantities_) (void)timekeeper_.time(quantity.step);
  }
}

bool CaseRun::visit(const Turn& turn) {
  const double begin_s = team_.now_s();
  if (!stopper_) begin();
  // Warm-ups are skipped when the time is up: calibration has run the step already.
  const bool has_time = turn.time_s > 0;
  warm_up(!has_time ? 0 : visits_ == 0 ? settings_.warm_ups : std::min(settings_.warm_ups, 1));
  sample_.visit = visits_++;
  failed_in_a_row_ = 0;
  const int rounds_before = stopper_->rounds();
  int decision = has_time ? go_on : next(turn, begin_s, rounds_before);
  while (decision == go_on) {
    if (run_round()) {
      failed_in_a_row_ = 0;
    } else {
      ++discarded_;
      ++failed_in_a_row_;
    }
    decision = next(turn, begin_s, rounds_before);
  }
  spent_s_ += team_.now_s() - begin_s;
  if (decision == pause) return false;
  end(static_cast<StopReason>(decision));
  return true;
}

/// What rank 0 decides, because clocks differ between ranks: to go on, to pause, or the reason to end.
int CaseRun::next(const Turn& turn, double begin_s, int rounds_before) {
  const double in_visit_s = team_.now_s() - begin_s;
  const bool late = in_visit_s >= turn.time_s;
  int decision = go_on;
  stopper_->allow(turn.last ? spent_s_ + turn.time_s : std::numeric_limits<double>::infinity());
  const bool all_visits = turn.last || visits_ >= settings_.visits;
  const bool nothing_comes = turn.last && late && (stopper_->rounds() + discarded_) >= 2 * fewest_rounds &&
                             stopper_->rounds() < fewest_rounds;
  if (const auto reason = stopper_->decide(spent_s_ + in_visit_s, all_visits)) {
    decision = static_cast<int>(*reason);
  } else if (nothing_comes || too_many_discarded(stopper_->rounds(), discarded_)) {
    decision = static_cast<int>(StopReason::budget);
  } else if (!turn.last) {
    const bool done = stopper_->rounds() - rounds_before >= turn.rounds;
    if (done || late || failed_in_a_row_ >= failures_to_pause) decision = pause;
  }
  team_.share(decision);
  return decision;
}

bool CaseRun::run_round() {
  // Rows are written when the round is complete, because the quantities of a round are compared pairwise.
  std::vector<std::size_t> sequence(quantities_.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::shuffle(sequence.begin(), sequence.end(), order_);
  sample_.round = stopper_->rounds();
  std::vector<double> times_s(quantities_.size());
  std::vector<record::Sample> rows;
  for (const std::size_t index : sequence) {
    const auto measured = run_sample(quantities_[index]);
    if (!measured) return false;
    traffic_->add(index);
    times_s[index] = measured->time_s;
    rows.push_back(row_of(quantities_[index], *measured));
  }
  if (file_ != nullptr) {
    for (const record::Sample& row : rows) file_->append(row);
  }
  stopper_->add_round(times_s);
  return true;
}

record::Sample CaseRun::row_of(const Quantity& quantity, const Measurement& measured) const {
  record::Sample row = sample_;
  row.quantity = quantity.name;
  row.messages = quantity.messages;
  row.time_s = measured.time_s;
  row.mean = measured.mean;
  row.smallest = measured.smallest;
  row.largest = measured.largest;
  row.lost_s = measured.preemption.lost_s;
  row.switches = measured.preemption.switches;
  row.axes.insert(row.axes.end(), quantity.axes.begin(), quantity.axes.end());
  return row;
}

/// A sample in which no rank was late and none lost its processor; nothing after some attempts.
std::optional<Measurement> CaseRun::run_sample(const Quantity& quantity) {
  for (int attempt = 0; attempt < attempts_at_a_sample; ++attempt) {
    const auto seed = static_cast<std::uint32_t>(order_());
    if (settings_.check) {
      experiment_->fill(seed);
      (void)total(team_, CheckedTransfers{});  // no rank starts before all have filled
    }
    traffic_->before();
    const auto measured = timekeeper_.time(quantity.step);
    traffic_->after();
    if (settings_.check) {
      const CheckedTransfers mine = experiment_->verify(quantity.name, seed);
      checked_.transfers += mine.transfers;
      checked_.wrong += mine.wrong;
      (void)total(team_, CheckedTransfers{});  // no rank fills again before all have verified
    }
    if (!measured) continue;
    if (!measured->disturbed()) return measured;
    ++disturbed_;
    if (file_ == nullptr) continue;
    record::Sample row = row_of(quantity, *measured);
    row.disturbed = true;
    file_->append(row);
  }
  return std::nullopt;
}

void CaseRun::end(StopReason reason) {
  traffic_->record(team_, sample_.probe, index_, quantities_, file_);
  if (settings_.check) checked_ = total(team_, checked_);
  experiment_.reset();
  if (file_ == nullptr) return;
  if (settings_.check) {
    file_->append(record::Checked{.probe = sample_.probe,
                                  .case_index = index_,
                                  .transfers = checked_.transfers,
                                  .wrong = checked_.wrong});
  }
  file_->append(record::CaseEnd{.probe = sample_.probe,
                                .case_index = index_,
                                .ended_by = std::string{to_string(reason)},
                                .rounds = stopper_->rounds(),
                                .discarded = discarded_,
                                .visits = visits_,
                                .disturbed = disturbed_});
}

}  // namespace stretto::measure
