// SPDX-License-Identifier: BSD-3-Clause
// `overlap`: communication alone, computation alone, and both, over size and T_w/T_c. The overlap (eta and
// kappa) is computed later, from paired rounds.
#include "probe/concurrent_case.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

constexpr SizeRange overlap_sizes{.min_bytes = std::size_t{4} << 10, .max_bytes = std::size_t{8} << 20};

class OverlapCase final : public ConcurrentCase {
 public:
  OverlapCase(const ProbeContext& context, const ConcurrentAxes& axes, double ratio)
      : ConcurrentCase(context, "overlap", axes, {{"ratio", ratio}}), ratio_(ratio) {}

  void calibrate(measure::Timekeeper& timekeeper) override {
    reserve(1);
    set_work(ratio_ * median_communication_s(timekeeper));
  }

  /// T_c + T_w - T_t. More than all, or clearly less than nothing, is rare.
  [[nodiscard]] measure::Figure figure() const override {
    return {.signs = {1, 1, -1}, .least = -0.2, .most = 1.2};
  }

 private:
  double ratio_;
};

}  // namespace

// All combinations run where both sides compute. One side alone runs only at T_w/T_c = 1, without polling
// and one way. Both ways run at T_w/T_c = 1.
Cases overlap_cases(const Settings& settings, const ProbeContext& context) {
  const auto requested = [](Direction direction, ComputingSide side, exchange::ProgressMode progress,
                            double ratio) {
    if (direction == Direction::both_ways) return side == ComputingSide::both && ratio == 1;
    return side == ComputingSide::both || (ratio == 1 && progress != exchange::ProgressMode::poll);
  };
  Cases cases;
  for (const exchange::ChannelOperation operation : operations_of(settings, context)) {
    for (const exchange::ProgressMode progress : settings.progress) {
      if (!context.transport.supports(progress)) continue;
      for (const Direction direction : settings.directions) {
        for (const ComputingSide side : settings.sides) {
          for (const double ratio : settings.ratios) {
            if (!requested(direction, side, progress, ratio)) continue;
            for (const std::size_t size_bytes : sizes_or(settings, overlap_sizes, 4)) {
              const ConcurrentAxes axes{operation, progress, side, direction, size_bytes};
              cases.push_back(std::make_unique<OverlapCase>(context, axes, ratio));
            }
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace stretto::probe
