// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/engine/wait_loop.hpp"

#include <sched.h>

#include <cstdio>
#include <stretto/error.hpp>
#include <stretto/wait_check.hpp>
#include <utility>

namespace stretto {
namespace onesided {
namespace {

thread_local std::function<bool()> wait_check;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
constexpr auto between_checks = std::chrono::milliseconds(100);

constexpr unsigned spinning_rounds =
    64;  // a rank on the same node answers sooner than the scheduler runs again
constexpr unsigned rounds_per_clock_check = 256;

}  // namespace

void WaitLoop::end_round(bool progressed) {
  if (!progressed && rounds_ > spinning_rounds) sched_yield();
  if (rounds_++ % rounds_per_clock_check == 0) check_clock();
}

void WaitLoop::check_clock() {
  const auto now = std::chrono::steady_clock::now();
  if (rounds_ == 1) began_ = checked_ = now;
  const bool checks = wait_check != nullptr && now - checked_ >= between_checks;
  if (checks) checked_ = now;
  const bool interrupted = checks && wait_check();
  const double waited_s = std::chrono::duration<double>(now - began_).count();
  const bool give_up = limits_.timeout_s > 0 && waited_s > limits_.timeout_s;
  const bool report = limits_.report_after_s > 0 && waited_s > limits_.report_after_s && !reported_;
  if (!give_up && !report && !interrupted) return;
  const std::string awaited = target_ < 0 ? "all ranks" : "rank " + std::to_string(target_);
  const std::string text = "rank " + std::to_string(limits_.rank) + " has waited " +
                           std::to_string(static_cast<int>(waited_s)) + " s for " + awaited + ": " + what_ +
                           limits_.context;
  if (interrupted) throw InterruptedError(text);
  if (give_up) throw TimeoutError(text);
  reported_ = true;
  std::fprintf(stderr, "stretto: %s\n", text.c_str());
}

}  // namespace onesided

void check_in_waits(std::function<bool()> check) { onesided::wait_check = std::move(check); }

}  // namespace stretto
