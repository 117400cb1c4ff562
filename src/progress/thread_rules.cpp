// SPDX-License-Identifier: BSD-3-Clause
#include "progress/thread_rules.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "mpi/plain_numbers.hpp"

namespace stretto::progress {

bool HostPlacement::too_few_cores() const {
  const int needed = only_host && ranks > 1 ? 2 * ranks : ranks;
  return needed > cores;
}

std::string HostPlacement::why_none() const {
  const std::string all = std::to_string(ranks) + " ranks ";
  const std::string have = std::to_string(cores) + " cores";
  if (ranks > cores) return all + "share " + have;
  return all + "and their threads need " + std::to_string(2 * ranks) + " cores, and may use " + have;
}

std::chrono::nanoseconds HostPlacement::usual_interval() const {
  return only_host ? std::chrono::milliseconds{4} : std::chrono::milliseconds{1};
}

std::string in_seconds(std::chrono::nanoseconds interval) {
  std::array<char, 32> text{};
  const double seconds = std::chrono::duration<double>(interval).count();
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), seconds).ptr};
}

std::optional<std::chrono::nanoseconds> poll_interval(std::string_view text) {
  const double seconds = mpi::plain_number(text).value_or(0);
  const bool is_interval = seconds >= 1e-5 && seconds <= 1;  // false for NaN, too
  if (!is_interval) return std::nullopt;
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

}  // namespace stretto::progress
