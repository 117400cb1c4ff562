// SPDX-License-Identifier: BSD-3-Clause
// `persistent`: messages by persistent requests against those by MPI_Isend and MPI_Irecv, both ways at once
// as in a halo exchange: their time, what starting them takes, and how much of them hides under computation.
// The two are transports of their own.
#include "probe/concurrent_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange persistent_sizes{.min_bytes = 8, .max_bytes = std::size_t{4} << 20};
constexpr std::size_t persistent_factor = 8;
// A halo has a few messages; more of the short ones are needed for a time that the clock resolves.
constexpr double shortest_exchange_s = 50e-6;
constexpr int max_exchanged = 32;

class PersistentCase final : public ConcurrentCase {
 public:
  PersistentCase(const ProbeContext& context, const ConcurrentAxes& axes)
      : ConcurrentCase(context, "persistent", axes, {{"ratio", 1.0}}) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    reserve(max_exchanged);
    set_messages(1);
    set_messages(repeats(median_communication_s(timekeeper), shortest_exchange_s, max_exchanged));
    set_work(median_communication_s(timekeeper));
  }
};

}  // namespace

Cases persistent_cases(const Settings& settings, const ProbeContext& context) {
  Cases cases;
  if (!context.transport.supports(exchange::ChannelOperation::send)) return cases;
  for (const exchange::ProgressMode progress : settings.progress) {
    if (!context.transport.supports(progress)) continue;
    for (const std::size_t size_bytes : sizes_or(settings, persistent_sizes, persistent_factor)) {
      cases.push_back(std::make_unique<PersistentCase>(
          context, ConcurrentAxes{.operation = exchange::ChannelOperation::send,
                                  .progress = progress,
                                  .side = ComputingSide::both,
                                  .direction = Direction::both_ways,
                                  .size_bytes = size_bytes}));
    }
  }
  return cases;
}

}  // namespace stretto::probe
