// SPDX-License-Identifier: BSD-3-Clause
#include "memory/work_log.hpp"

#include <algorithm>
#include <utility>

#include "memory/conversion.hpp"
#include "memory/epochs.hpp"
#include "memory/granules.hpp"

namespace stretto::memory {

void WorkLog::resume() {
  epoch_of_call = 0;
  computes_ = true;
  work_.clear();
  measured_.clear();
  (void)without_processor();
  without_ = 0;
  thread_.base = slot_of(base_epoch_);
  thread_.newest = thread_.straight_line = thread_.run = 0;
  thread_.unmarked = thread_.marked = 0;
  thread_.run_pc = last_place_ = 0;
  thread_.iteration = {};
  thread_.awaiting = 0;
  thread_.own_ticks = 0;
  thread_.until_sample = first_samples;
  thread_.left = thread_.period = first_samples;
  since_ = checked_.ticks;
  computation_ = Computation(since_);
}

void WorkLog::pause(std::uint64_t now) {
  if (!computes_) return;
  computes_ = false;
  thread_.unmarked += static_cast<std::uint32_t>(thread_.period - thread_.left);
  thread_.left = thread_.period = 0;
  const bool stored = thread_.unmarked + thread_.marked > 0;
  if (!stored) {
    // Nothing was stored since the last sample. Loads that were marked serve what follows.
    const bool marked = thread_.newest > thread_.base;
    if (marked) thread_.run = thread_.newest;
    (marked ? thread_.marked : thread_.unmarked) = 1;
  }
  sample(now, stored || last_place_ != 0 ? thread_.last_store_pc : 0);
  correct();
  std::map<std::uint32_t, double> work;
  double all = 0;
  for (const Measured& one : measured_) all += one.ticks;
  const Conversion conversion;
  // What was taken for time without the processor may exceed the time that passed, by what reading clocks
  // takes.
  const double passed = now > computation_.begin() ? static_cast<double>(now - computation_.begin()) : 0;
  const double scale = all > 0 ? std::max(passed - without_, 0.0) / all : 0;
  for (std::size_t i = 0; i < work_.size(); ++i) {
    const double ticks = measured_[i].ticks * scale;
    work_[i].ticks = static_cast<std::uint64_t>(ticks);
    work_[i].interval = {.from_ns = conversion.ns(measured_[i].begin),
                         .until_ns = conversion.ns(measured_[i].end)};
    work[work_[i].epoch] += ticks;
  }
  computation_.end(now, epoch_of(thread_.base), std::move(work));
  if (computation_.is_divided()) history_.add(std::move(computation_));
}

void WorkLog::correct() {
  for (std::size_t i = 0; i < work_.size(); ++i) {
    if (measured_[i].pure_stores < enough_stores) continue;
    const double store_ticks = measured_[i].pure_ticks / measured_[i].pure_stores;
    for (std::size_t k = 0; k < work_.size(); ++k) {
      if (work_[k].place == work_[i].place) measured_[k].ticks = measured_[k].stores * store_ticks;
    }
  }
}

void WorkLog::sample(std::uint64_t now, std::uintptr_t pc) {
  double passed = now > since_ ? static_cast<double>(now - since_) : 0.0;
  if (passed > suspicious_ticks) {
    const double had = std::max(passed - without_processor(), suspicious_ticks / 16.0);
    without_ += passed - had;
    passed = had;
  }
  const double own = static_cast<double>(thread_.own_ticks) * timed_accesses;
  const double ticks = std::max(passed - own, passed / 16);
  const double stores = thread_.unmarked + thread_.marked;
  const double unmarked = stores > 0 ? ticks * thread_.unmarked / stores : 0.0;
  const bool pure = thread_.marked == 0;
  // Where the marked stores stand is known. Unmarked ones before a marked one stand where the last sample
  // was.
  const bool ends_marked = thread_.marked > 0 && thread_.run_pc == pc && last_place_ != 0;
  const std::uintptr_t unmarked_pc = ends_marked ? last_place_ : pc;
  const std::uintptr_t marked_pc = thread_.run_pc != 0 ? thread_.run_pc : pc;
  if (thread_.unmarked > 0) add({unmarked_pc, epoch_of(thread_.base), thread_.unmarked, unmarked, pure}, now);
  if (thread_.marked > 0)
    add({marked_pc, epoch_of(thread_.run), thread_.marked, ticks - unmarked, false}, now);
  last_place_ = pc;
  thread_.unmarked = thread_.marked = 0;
  thread_.own_ticks = 0;
  const std::uint32_t next = distances_.next(max_stores / 2, max_stores);
  thread_.until_sample = std::min(2 * thread_.until_sample, next);
  resume_sample(now);
}

WorkLog::ProcessorTime WorkLog::processor_time() {
  constexpr std::uint64_t max_ticks = 10'000;  // of three readings: else the thread lost its core in between
  constexpr int max_attempts = 4;
  ProcessorTime read;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    const std::uint64_t begin = memory::ticks();
    read.thread_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    read.wall_ns = clock_ns();
    read.ticks = memory::ticks();
    if (read.ticks - begin < max_ticks) break;
  }
  return read;
}

double WorkLog::without_processor() {
  const ProcessorTime before = std::exchange(checked_, processor_time());
  const auto wall_ns = static_cast<double>(checked_.wall_ns - before.wall_ns);
  const auto thread_ns = static_cast<double>(checked_.thread_ns - before.thread_ns);
  if (before.ticks == 0 || wall_ns <= thread_ns) return 0;
  return (wall_ns - thread_ns) / wall_ns * static_cast<double>(checked_.ticks - before.ticks);
}

void WorkLog::resume_sample(std::uint64_t begin) {
  since_ = memory::ticks();
  if (since_ - begin < suspicious_ticks) return;
  without_ += without_processor();
  since_ = memory::ticks();
}

void WorkLog::depend_on(std::uint8_t slot, std::uint64_t now) {
  if (slot <= thread_.base) return;
  thread_.unmarked += static_cast<std::uint32_t>(thread_.period - thread_.left);
  thread_.period = thread_.left;
  sample(now, thread_.last_store_pc);
  thread_.base = slot;
  base_epoch_ = epoch_of(slot);
}

void WorkLog::add(const Sample& sample, std::uint64_t now) {
  std::uintptr_t pc = sample.pc;
  const auto known = [&] {
    for (std::size_t i = work_.size(); i > 0; --i) {  // the last ones first: they are the likely ones
      if (work_[i - 1].place == pc && work_[i - 1].epoch == sample.epoch) return i - 1;
    }
    return work_.size();
  };
  std::size_t at = known();
  if (at == work_.size() && at >= max_places) {
    pc = 0;  // too many places: this one counts with all others
    at = known();
  }
  if (at == work_.size()) {
    work_.push_back({.place = pc, .epoch = sample.epoch});
    measured_.push_back({.begin = since_});
  }
  Measured& one = measured_[at];
  one.stores += sample.stores;
  one.ticks += sample.ticks;
  one.end = now;
  computation_.add(sample.epoch, std::min(since_, now), now, sample.ticks);
  if (!sample.pure) return;
  one.pure_stores += sample.stores;
  one.pure_ticks += sample.ticks;
}

}  // namespace stretto::memory
