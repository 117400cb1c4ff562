// SPDX-License-Identifier: BSD-3-Clause
#include "fft/predicted.hpp"

#include <cmath>
#include <vector>

#include "fft/engine.hpp"
#include "fft/transpose_setup.hpp"
#include "network/rank_timeline.hpp"

namespace stretto::fft {
namespace {

/// A model rank that computes and sends. With completion by arrival each block is one message that carries
/// its flag.
class Rank {
 public:
  Rank(const profile::MachineCosts& costs, Completion completion)
      : timeline_(costs.path),
        seconds_per_flop_(costs.seconds_per_flop),
        operation_(completion == Completion::acknowledgement ? network::TransferOperation::put
                                                             : network::TransferOperation::send) {}

  void compute(double flops) { timeline_.compute(flops * seconds_per_flop_); }
  /// Starts a message; returns its number.
  std::size_t start(std::size_t size_bytes) { return timeline_.start(operation_, size_bytes); }
  /// Waits for the incoming message that corresponds to this outgoing one.
  void await(std::size_t message) { timeline_.finish(message); }
  [[nodiscard]] double now_s() const { return timeline_.now_s(); }

 private:
  network::RankTimeline timeline_;
  double seconds_per_flop_;
  network::TransferOperation operation_;
};

/// Operations of `lines` lines: 5 n log2 n per line, half of that if real.
double flops_of(std::size_t length, std::size_t lines, bool real = false) {
  const auto n = static_cast<double>(length);
  return (real ? 2.5 : 5) * n * std::log2(n) * static_cast<double>(lines);
}

/// Bytes of a message of this group to one other rank: of one plane, or of all planes when packed.
std::size_t bytes_of(const TransposeShape& shape, std::size_t rows) {
  return (shape.packed ? shape.a.largest() : 1) * rows * shape.c * sizeof(Complex);
}

}  // namespace

double predicted_s(const Settings& settings, int ranks, const profile::MachineCosts& costs,
                   Completion completion) {
  const TransposeShape shape = transpose_shape(settings.schedule, {settings.size[0], ranks},
                                               {settings.size[1], ranks}, spectrum_length(settings));
  const int last = ranks - 1;  // the rank with the largest part
  const int groups = shape.largest_pieces();
  const double along_n2 = flops_of(settings.size[2], shape.b.total, settings.kind == Kind::real) / groups;
  Rank rank(costs, completion);
  std::vector<std::vector<std::size_t>> arriving(static_cast<std::size_t>(groups));
  const auto send = [&](int group) {
    for (int target = 1; target < ranks; ++target) {
      arriving[static_cast<std::size_t>(group)].push_back(
          rank.start(bytes_of(shape, shape.piece(last, group).second)));
    }
  };
  for (std::size_t plane = 0; plane < shape.a.largest(); ++plane) {
    rank.compute(flops_of(settings.size[1], shape.c));
    for (int group = 0; group < groups; ++group) {
      rank.compute(along_n2);
      if (!shape.packed) send(group);
    }
  }
  if (shape.packed) send(0);
  // Lines along n0 are transformed group by group on arrival. In natural order each group returns at once,
  // and all are waited for.
  std::vector<std::size_t> returning;
  for (int group = 0; group < groups; ++group) {
    for (const std::size_t message : arriving[static_cast<std::size_t>(group)]) rank.await(message);
    const std::size_t rows = shape.piece(last, group).second;
    rank.compute(flops_of(settings.size[0], rows * shape.c));
    if (settings.order == Order::transposed) continue;
    const std::size_t back_bytes = shape.a.largest() * rows * shape.c * sizeof(Complex);
    for (int target = 1; target < ranks; ++target) returning.push_back(rank.start(back_bytes));
  }
  for (const std::size_t message : returning) rank.await(message);
  return rank.now_s();
}

}  // namespace stretto::fft
