// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/engine/contexts.hpp"

#include <algorithm>
#include <iterator>

namespace stretto::onesided {
namespace {

constexpr unsigned calls_per_full_poll = 16;

/// What the polls of two engines found together.
progress::PollResult merged(const progress::PollResult& one, const progress::PollResult& other) {
  return {.progressed = one.progressed || other.progressed,
          .unserved = one.unserved || other.unserved,
          .bulk = one.bulk || other.bulk,
          .program_bulk = one.program_bulk || other.program_bulk,
          .buffer_use = std::max(one.buffer_use, other.buffer_use)};
}

}  // namespace

Contexts::Contexts(const mpi::Communicator& parent, const EngineOptions& options, int count,
                   const std::vector<int>& sources, CounterTable& counters)
    : rank_(parent.rank()), calls_(static_cast<std::size_t>(parent.size())) {
  engines_.resize(static_cast<std::size_t>(std::min(count, parent.size())));
  for (std::size_t index = 0; index < engines_.size(); ++index) {
    std::vector<int> own;
    std::ranges::copy_if(sources, std::back_inserter(own), [&](int rank) { return index_of(rank) == index; });
    engines_[index] = std::make_unique<Engine>(parent.get(), options, own, counters, calls_);
  }
}

void Contexts::add_region(std::uint32_t region, Engine::Memory memory) {
  for (const auto& engine : engines_) engine->add_region(region, memory);
}

void Contexts::remove_region(std::uint32_t region) {
  for (const auto& engine : engines_) engine->remove_region(region);
}

// With a single engine a caller waits for the thread that moves it. With several, a caller that waits for a
// rank polls the other engines now and then only, and never waits for their threads.
bool Contexts::progress_of_engines(int awaited) {
  if (engines_.size() == 1) return engines_.front()->progress();
  thread_local unsigned calls = 0;
  bool moved = awaited >= 0 && of(awaited).progress();
  if (awaited >= 0 && ++calls % calls_per_full_poll != 0) return moved;
  for (const auto& engine : engines_) {
    if (awaited < 0 || engine.get() != &of(awaited)) moved = engine->progress_unless_busy() || moved;
  }
  return moved;
}

bool Contexts::progress(int awaited) {
  const bool moved = progress_of_engines(awaited);
  if (!calls_.run()) return moved;
  (void)progress_of_engines(awaited);  // a fence may have waited for the handlers
  return true;
}

progress::PollResult Contexts::try_progress() noexcept {
  const auto poll = [&] {
    progress::PollResult found;
    for (const auto& engine : engines_) found = merged(found, engine->try_progress());
    return found;
  };
  progress::PollResult found = poll();
  guard([&] {
    if (!calls_.run()) return;
    (void)poll();  // a fence may have waited for the handlers
    found.progressed = true;
  });
  return found;
}

void Contexts::throw_kept() {
  if (const std::exception_ptr kept = engines_.front()->take_failure()) std::rethrow_exception(kept);
}

void Contexts::synchronise_memory() {
  for (const auto& engine : engines_) engine->synchronise_memory();
}

bool Contexts::is_idle() {
  return std::ranges::all_of(engines_, [](const auto& engine) { return engine->is_idle(); });
}

bool Contexts::uses_program_memory() {
  return std::ranges::any_of(engines_, [](const auto& engine) { return engine->uses_program_memory(); });
}

void Contexts::abandon_all() {
  for (const auto& engine : engines_) engine->abandon_all();
}

bool Contexts::awaits_abandoned() {
  return std::ranges::any_of(engines_, [](const auto& engine) { return engine->awaits_abandoned(); });
}

bool Contexts::is_serving() {
  return std::ranges::any_of(engines_, [](const auto& engine) { return engine->is_serving(); });
}

bool Contexts::is_replying() {
  return std::ranges::any_of(engines_, [](const auto& engine) { return engine->is_replying(); });
}

}  // namespace stretto::onesided
