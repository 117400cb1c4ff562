// SPDX-License-Identifier: BSD-3-Clause
// The interface of a plan to its transform of one array: in slabs, or on a grid of ranks.
#pragma once

#include <memory>
#include <stretto/fft.hpp>

namespace stretto::fft {

/// The arrays of one transform. In a real plan one of the two ends is real.
struct Transform {
  const Complex* in = nullptr;
  const double* real_in = nullptr;
  Complex* out = nullptr;
  double* real_out = nullptr;
  const BeforePlane* before = nullptr;
};

class FftEngine {
 public:
  virtual ~FftEngine() = default;
  virtual void forward(const Transform& transform) = 0;
  virtual void inverse(const Transform& transform) = 0;
  [[nodiscard]] virtual Box input() const = 0;
  [[nodiscard]] virtual Box spectrum() const = 0;
  [[nodiscard]] virtual std::span<Complex> storage() const = 0;
  /// The size of this rank's largest part: before, between or after the transposes.
  [[nodiscard]] virtual std::size_t copy_bytes() const = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t messages() const = 0;
};

/// `settings` must come from checked_settings(), including the grid. Collective over the runtime.
[[nodiscard]] std::unique_ptr<FftEngine> slab_engine(Runtime& runtime, const Settings& settings,
                                                     PlanTimers& timers);
[[nodiscard]] std::unique_ptr<FftEngine> grid_engine(Runtime& runtime, const Settings& settings,
                                                     PlanTimers& timers);

/// Number of complex elements in a row of the spectrum.
[[nodiscard]] inline std::size_t spectrum_length(const Settings& settings) {
  return settings.kind == Kind::real ? settings.size[2] / 2 + 1 : settings.size[2];
}

/// The settings with the grid to use. Throws ArgumentError as a plan does.
[[nodiscard]] Settings checked_settings(Settings settings, int ranks);
/// The same on all ranks of a runtime: where one refuses, all do. Collective.
[[nodiscard]] Settings agreed_settings(const Runtime& runtime, const Settings& requested);

}  // namespace stretto::fft
