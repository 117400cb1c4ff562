// SPDX-License-Identifier: BSD-3-Clause
#include "rma/progress/wait_loop.hpp"

#include <sched.h>

#include <cstdio>
#include <stretto/error.hpp>

#include "rma/api/runtime_state.hpp"

namespace stretto::rma {
namespace {

constexpr unsigned eager_rounds = 64;    // an answer from a neighbour comes sooner than a scheduler does
constexpr unsigned rounds_a_look = 256;  // between two looks at the clock

}  // namespace

void Patience::wait_a_little() {
  const bool moved = state_.make_progress();
  if (!moved && rounds_ > eager_rounds) sched_yield();
  if (rounds_++ % rounds_a_look == 0) look_at_clock();
}

void Patience::look_at_clock() {
#ifndef STRETTO_SIMGRID  // simulated time has nothing to do with the patience of people
  const auto now = std::chrono::steady_clock::now();
  if (rounds_ == 1) began_ = now;
  const double waited_s = std::chrono::duration<double>(now - began_).count();
  const Options& options = state_.options;
  const bool give_up = options.timeout_s > 0 && waited_s > options.timeout_s;
  const bool report = options.report_after_s > 0 && waited_s > options.report_after_s && !reported_;
  if (!give_up && !report) return;
  const std::string whom = target_ < 0 ? "all ranks" : "rank " + std::to_string(target_);
  const std::string text = "rank " + std::to_string(state_.communicator.rank()) + " has waited " +
                           std::to_string(static_cast<int>(waited_s)) + " s for " + whom + ": " + what_ +
                           " (progress " + std::string(to_string(state_.progress)) +
                           (state_.progress == Progress::thread ? ")" : ": they must call the runtime)");
  if (give_up) throw TimeoutError(text);
  reported_ = true;
  std::fprintf(stderr, "stretto: %s\n", text.c_str());
#endif
}

}  // namespace stretto::rma
