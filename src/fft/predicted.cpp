// SPDX-License-Identifier: BSD-3-Clause
#include "fft/predicted.hpp"

#include <vector>

#include "fft/engine.hpp"
#include "fft/transform_steps.hpp"
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
  std::size_t start(int /*hop*/, std::size_t size_bytes) { return timeline_.start(operation_, size_bytes); }
  /// Waits for the incoming message that corresponds to this outgoing one.
  void await(std::size_t message) { timeline_.finish(message); }
  [[nodiscard]] double now_s() const { return timeline_.now_s(); }

 private:
  network::RankTimeline timeline_;
  double seconds_per_flop_;
  network::TransferOperation operation_;
};

}  // namespace

double predicted_s(const Settings& settings, int ranks, const profile::MachineCosts& costs,
                   Completion completion) {
  const TransposeShape shape = transpose_shape(settings.schedule, {settings.size[0], ranks},
                                               {settings.size[1], ranks}, spectrum_length(settings));
  const double row_share = settings.kind == Kind::real ? 0.5 : 1;
  const PlaneFlops flops{
      .columns = line_flops(settings.size[1]) * static_cast<double>(shape.c),
      .rows = line_flops(settings.size[2]) * row_share * static_cast<double>(shape.b.total)};
  Rank rank(costs, completion);
  const MessagesOf<Rank> arriving = produce_steps(rank, shape, flops);
  // In natural order each group returns at once, and all are waited for.
  std::vector<std::size_t> returning;
  consume_steps(rank, shape, arriving, settings.size[0], [&](std::size_t rows) {
    if (settings.order == Order::transposed) return;
    const std::size_t back_bytes = shape.a.largest() * rows * shape.c * sizeof(Complex);
    for (int hop = 1; hop < ranks; ++hop) returning.push_back(rank.start(hop, back_bytes));
  });
  for (const std::size_t message : returning) rank.await(message);
  return rank.now_s();
}

}  // namespace stretto::fft
