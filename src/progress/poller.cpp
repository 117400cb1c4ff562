// SPDX-License-Identifier: BSD-3-Clause
#include "progress/poller.hpp"

#include <algorithm>
#include <utility>

#include "progress/activity.hpp"

namespace stretto::progress {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

/// Later trials have longer windows, for programs with longer iterations. The last one pauses for eight
/// seconds in all. It begins late, so that these are a small part of the run.
constexpr std::array<TrialTimes, 3> trials{{{.begin = seconds{1}, .window = milliseconds{64}},
                                            {.begin = seconds{3}, .window = milliseconds{256}},
                                            {.begin = seconds{60}, .window = seconds{1}}}};
constexpr nanoseconds no_end = hours{24};
constexpr int max_polls = 64;  // after the first of a wake-up

}  // namespace

Poller::Poller(std::function<void()> poll, nanoseconds interval, Agreement& agreement)
    : poll_(std::move(poll)),
      agreement_(agreement),
      policy_(interval),
      trial_(trials[0]),
      trials_begun_(1),
      thread_([this](WakeUp woken) { return turn(woken); }) {
  activity.on_wake([](void* thread) { static_cast<ProgressThread*>(thread)->wake(); }, &thread_);
}

Poller::~Poller() { activity.on_wake(nullptr, nullptr); }

PollCounts Poller::stop() {
  const ThreadUse use = thread_.stop();
  counts_.wakes = use.turns;
  counts_.cpu = use.cpu;
  if (!off_) counts_.on = Clock::now() - began_;
  return counts_;
}

Sleep Poller::turn(WakeUp woken) {
  activity.set_asleep(false);
  const nanoseconds now = Clock::now() - began_;
  const nanoseconds most = advance_trial(now);
  if (off_) return {.rest = no_end};
  if (trial_ && trial_->pauses(now)) return {.rest = most};
  Sleep sleep = poll_once(woken);
  sleep.rest = std::min(sleep.rest, most);
  sleep.listen = std::min(sleep.listen, most);
  return sleep;
}

nanoseconds Poller::advance_trial(nanoseconds now) {
  if (!trial_) return no_end;
  trial_->observe(now, activity.starts(), activity.cycles());
  if (!trial_->has_ended(now)) return trial_->until_next(now);
  if (!std::exchange(posted_, true)) agreement_.post(trial_->rates());
  if (const std::optional<Trial::Rates> sums = agreement_.sums()) conclude(*sums, now);
  return no_end;
}

void Poller::conclude(const Trial::Rates& sums, nanoseconds now) {
  const Saved saved = saved_of(sums);
  posted_ = false;
  trial_.reset();
  if (sums[Trial::counted] > 0) {
    counts_.saved = saved;
    counts_.verdict = verdict_of(saved);
  }
  if (counts_.verdict == Verdict::gains_nothing) {
    off_ = true;
    counts_.on = now;
  } else if (counts_.verdict == Verdict::undecided && trials_begun_ < trials.size()) {
    trial_.emplace(trials[trials_begun_++]);
  }
}

void Poller::poll(bool traffic) {
  ++counts_.polls;
  poll_();
  Buffered left = traffic ? thread_.buffered() : Buffered{};
  for (int more = 0; more < max_polls && left.unread.bytes > 0 && !activity.inside(); ++more) {
    ++counts_.polls;
    poll_();
    const std::int64_t before = std::exchange(left, thread_.buffered()).unread.bytes;
    if (left.unread.bytes >= before) break;
  }
  left_unsent_ = left.unsent.share;
}

Sleep Poller::poll_once(WakeUp woken) {
  const bool traffic = woken == WakeUp::traffic;
  const bool inside = activity.inside();
  const bool outstanding = activity.needs_progress();
  const Observation seen{.traffic = traffic,
                         .inside = inside,
                         .outstanding = outstanding,
                         .steps = activity.has_steps(),
                         .short_only = activity.outstanding() && !outstanding,
                         .buffered = traffic ? thread_.buffered() : Buffered{},
                         .left_unsent = left_unsent_,
                         .sending = outstanding && !traffic && !inside && thread_.sending(),
                         .windows = activity.windows(),
                         .starts = activity.long_starts(),
                         .tests = activity.tests()};
  const Step step = policy_.next(seen);
  counts_.while_inside += seen.inside ? 1 : 0;
  if (step.poll) {
    counts_.empty_polls += traffic ? 0 : 1;
    poll(traffic);
  }
  if (!step.until_start) return step.sleep;
  activity.set_asleep(true);
  // A start between the observation and the store above woke no thread.
  return activity.long_starts() == seen.starts ? step.sleep : Sleep{};
}

}  // namespace stretto::progress
