// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace stretto::known_answers {

VirtualSchedule::VirtualSchedule(int ranks, double steal, Engine& engine)
    : engine_(engine), ranks_(static_cast<std::size_t>(ranks)), steal_(steal) {}

void VirtualSchedule::run(const std::function<void(int rank)>& body) {
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
    at(rank).fiber = std::make_unique<Fiber>([&body, rank] { body(rank); });
    wake_at(rank, engine_.now_s());
  }
  try {
    take_turns();
  } catch (...) {
    // Unwinds the bodies while the objects that they refer to still exist.
    for (Rank& rank : ranks_) rank.fiber.reset();
    throw;
  }
}

void VirtualSchedule::take_turns() {
  std::size_t alive = ranks_.size();
  while (alive > 0) {
    const Engine::Outcome outcome = engine_.run_next();
    if (outcome == Engine::Outcome::idle) throw std::runtime_error(deadlock());
    if (outcome == Engine::Outcome::message) continue;
    Rank& next = at(engine_.woken_rank());
    if (engine_.woken_stamp() != next.stamp) continue;  // superseded by a later event of this rank
    next.fiber->resume();
    if (next.fiber->done()) --alive;
  }
}

void VirtualSchedule::wake_at(int rank, double time_s) { engine_.wake_at(rank, time_s, ++at(rank).stamp); }

void VirtualSchedule::advance_to(int rank, double time_s) {
  if (engine_.try_advance(rank, time_s)) return;
  wake_at(rank, time_s);
  at(rank).fiber->suspend();
}

void VirtualSchedule::work(int rank, double duration_s) {
  if (steal_ == 0) {
    advance_to(rank, engine_.now_s() + duration_s);
    return;
  }
  Rank& me = at(rank);
  me.working = true;
  me.work_left_s = duration_s;
  me.work_since_s = engine_.now_s();
  plan_end_of_work(rank);
  me.fiber->suspend();
  me.working = false;
}

void VirtualSchedule::plan_end_of_work(int rank) {
  const Rank& me = at(rank);
  if (rate(me) > 0 || me.work_left_s == 0) {
    const double left_s = me.work_left_s == 0 ? 0 : me.work_left_s / rate(me);
    wake_at(rank, engine_.now_s() + left_s);
  } else {
    ++at(rank).stamp;  // invalidates the pending event: the rank does not advance until the traffic ends
  }
}

void VirtualSchedule::traffic_changed(int rank, bool moving) {
  Rank& me = at(rank);
  if (me.working) {
    const double done_s = (engine_.now_s() - me.work_since_s) * rate(me);
    me.work_left_s = std::max(0.0, me.work_left_s - done_s);
    me.work_since_s = engine_.now_s();
  }
  me.moving = moving;
  if (me.working) plan_end_of_work(rank);
}

void VirtualSchedule::wait(int rank, const Awaited& awaited) {
  at(rank).awaited = &awaited;
  at(rank).fiber->suspend();
}

void VirtualSchedule::wake(int rank) {
  Rank& sleeper = at(rank);
  if (sleeper.awaited == nullptr) return;
  sleeper.awaited = nullptr;
  wake_at(rank, engine_.now_s());
}

std::string VirtualSchedule::deadlock() const {
  constexpr std::size_t max_named = 8;
  std::string text = "virtual machine: deadlock:";
  std::size_t waiting = 0;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (ranks_[rank].awaited == nullptr) continue;
    if (waiting++ < max_named) {
      text += fmt::format("{} rank {} waits for {}", waiting == 1 ? "" : ";", rank,
                          ranks_[rank].awaited->describe_wait(static_cast<int>(rank)));
    }
  }
  if (waiting > max_named) text += fmt::format("; {} more wait", waiting - max_named);
  if (waiting < ranks_.size()) text += fmt::format("; {} have ended", ranks_.size() - waiting);
  return text;
}

}  // namespace stretto::known_answers
