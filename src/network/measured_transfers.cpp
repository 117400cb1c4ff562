// SPDX-License-Identifier: BSD-3-Clause
#include "network/measured_transfers.hpp"

#include <algorithm>

namespace stretto::network {
namespace {

using Time = std::optional<double> MeasuredTransfer::*;

constexpr std::uint64_t small_bytes =
    1024;  // a single size up to this says nothing of bytes, a larger one of L

/// One of the measured times by size: linear between sizes that have it.
class Curve {
 public:
  Curve(const std::vector<MeasuredTransfer>& transfers, Time time) {
    for (const MeasuredTransfer& one : transfers) {
      if (one.*time) points_.push_back({static_cast<double>(one.size_bytes), *(one.*time)});
    }
  }

  [[nodiscard]] bool empty() const { return points_.empty(); }

  /// The time at a size; constant below the smallest size, and above the largest one in proportion to it or
  /// constant.
  [[nodiscard]] double at(std::uint64_t size_bytes, bool grows) const {
    const auto size = static_cast<double>(size_bytes);
    const auto above = std::ranges::lower_bound(points_, size, {}, &Point::size);
    if (above == points_.begin()) return above->time_s;
    const Point& lower = *std::prev(above);
    if (above == points_.end()) return grows ? lower.time_s * size / lower.size : lower.time_s;
    return lower.time_s + (size - lower.size) / (above->size - lower.size) * (above->time_s - lower.time_s);
  }

  /// The line through the two smallest sizes, at one byte.
  [[nodiscard]] double of_small() const {
    const Point& first = points_.front();
    if (points_.size() == 1) return first.size <= small_bytes ? first.time_s : 0;
    const double slope = (points_[1].time_s - first.time_s) / (points_[1].size - first.size);
    return std::clamp(first.time_s - slope * (first.size - 1), 0.0, first.time_s);
  }

 private:
  struct Point {
    double size;
    double time_s;
  };

  std::vector<Point> points_;
};

/// The times of a path, by size.
class TransferCurves {
 public:
  TransferCurves(const std::vector<MeasuredTransfer>& transfers, const CurveUse& use)
      : times_(transfers, &MeasuredTransfer::time_s),
        streams_(transfers, &MeasuredTransfer::stream_s),
        sends_(transfers, &MeasuredTransfer::overhead_send_s),
        receives_(transfers, &MeasuredTransfer::receive_s),
        use_(use) {
    if (times_.empty()) times_ = streams_;
  }

  [[nodiscard]] NetworkRange at(std::uint64_t size_bytes) const {
    const double time_s = times_.at(size_bytes, true);
    LogGp loggp;
    loggp.overhead_send_s = std::min(overhead_s(sends_, size_bytes), time_s);
    loggp.overhead_receive_s = std::min(overhead_s(receives_, size_bytes), time_s - loggp.overhead_send_s);
    const double rest_s = time_s - loggp.overhead_send_s - loggp.overhead_receive_s;
    double latencies = use_.one_sided ? 2 : 1;
    double wire_s = bytes_s(size_bytes, time_s, rest_s);
    if (use_.eager_bytes && size_bytes > *use_.eager_bytes) {
      latencies = 3;  // the request, its answer and the message
      wire_s = std::max(rest_s - latencies * small_latency_s(), 0.0);
    }
    loggp.latency_s = (rest_s - wire_s) / latencies;
    if (!streams_.empty()) loggp.gap_s = std::max(streams_.at(size_bytes, true) - wire_s, 0.0);
    if (size_bytes > 1) loggp.gap_s_per_byte = wire_s / static_cast<double>(size_bytes - 1);
    return {.from_bytes = size_bytes, .loggp = loggp, .measured = true};
  }

 private:
  [[nodiscard]] double overhead_s(const Curve& overheads, std::uint64_t size_bytes) const {
    return overheads.empty() ? 0 : overheads.at(use_.overlap_known ? 0 : size_bytes, false);
  }

  [[nodiscard]] double bytes_s(std::uint64_t size_bytes, double time_s, double rest_s) const {
    const double above_s =
        streams_.empty() ? time_s - times_.of_small() : streams_.at(size_bytes, true) - streams_.of_small();
    return std::clamp(above_s, 0.0, rest_s);
  }

  [[nodiscard]] double small_latency_s() const {
    return std::max(times_.of_small() - overhead_s(sends_, 0) - overhead_s(receives_, 0), 0.0);
  }

  Curve times_;
  Curve streams_;
  Curve sends_;
  Curve receives_;
  const CurveUse& use_;
};

}  // namespace

std::vector<NetworkRange> measured_ranges(const std::vector<MeasuredTransfer>& transfers,
                                          const CurveUse& use) {
  const bool timed = std::ranges::any_of(transfers, [](const auto& one) { return one.time_s.has_value(); });
  const TransferCurves curves(transfers, use);
  std::vector<NetworkRange> ranges;
  for (const MeasuredTransfer& one : transfers) {
    if (timed ? one.time_s.has_value() : one.stream_s.has_value())
      ranges.push_back(curves.at(one.size_bytes));
  }
  return ranges;
}

}  // namespace stretto::network
