// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/shown_network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stretto::analysis {
namespace {

/// Messages of a size class below which it shows nothing.
constexpr std::size_t min_times = 5;
constexpr double quantile = 0.25;
/// Messages of a rank that are looked at.
constexpr std::size_t most = 20'000;

}  // namespace

void ShownNetwork::end(const EndedCall& call, const Others& others) {
  if (looked_at_[call.rank] == most) return;
  const MessageEnd* last = nullptr;
  for (const MessageEnd& one : call.received) {
    const double sent_s = one.message().sent_s;
    if (!std::isnan(sent_s) && (last == nullptr || sent_s > last->message().sent_s)) last = &one;
  }
  if (last == nullptr) return;
  const Message& message = last->message();
  const double end_s = call.call.end_s();
  const bool waited =
      std::max(call.call.begin_s, message.posted_s) <= message.sent_s && message.sent_s < end_s;
  if (!waited) return;
  if (message.is_nonblocking() && others.needs_partner(last->peer(), message.sent_s, end_s)) return;
  ShownTimes::Class& of = times_.classes[std::bit_width(last->size_bytes)];
  of.size_bytes += static_cast<double>(last->size_bytes);
  of.times_s.push_back(end_s - message.sent_s);
  if (++looked_at_[call.rank] == most) --left_;
}

void ShownTimes::add(const ShownTimes& other) {
  for (const auto& [bits, one] : other.classes) {
    Class& of = classes[bits];
    of.size_bytes += one.size_bytes;
    of.times_s.insert(of.times_s.end(), one.times_s.begin(), one.times_s.end());
  }
}

std::vector<ShownTime> ShownTimes::network() const {
  std::vector<ShownTime> shown;
  for (const auto& [bits, one] : classes) {
    if (one.times_s.size() < min_times) continue;
    std::vector<double> times_s = one.times_s;
    const auto at =
        times_s.begin() + static_cast<std::ptrdiff_t>(quantile * static_cast<double>(times_s.size() - 1));
    std::nth_element(times_s.begin(), at, times_s.end());
    shown.push_back({one.size_bytes / static_cast<double>(times_s.size()), *at});
  }
  return shown;
}

}  // namespace stretto::analysis
