// SPDX-License-Identifier: BSD-3-Clause
// What a plan does for one array of a batch: in slabs, or on a grid of ranks.
#pragma once

#include <memory>
#include <stretto/fft.hpp>

namespace stretto::kernel {

/// One transform; of a real plan one of the two ends is real.
struct Transform {
  const fft::Complex* in = nullptr;
  const double* real_in = nullptr;
  fft::Complex* out = nullptr;
  double* real_out = nullptr;
  const fft::BeforePlane* before = nullptr;
};

class FftEngine {
 public:
  virtual ~FftEngine() = default;
  virtual void forward(const Transform& transform) = 0;
  virtual void inverse(const Transform& transform) = 0;
  [[nodiscard]] virtual fft::Box input() const = 0;
  [[nodiscard]] virtual fft::Box spectrum() const = 0;
  [[nodiscard]] virtual std::span<fft::Complex> storage() const = 0;
  /// Of this rank's parts, before, between and after the transposes, the largest.
  [[nodiscard]] virtual std::size_t copy_bytes() const = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t messages() const = 0;
};

/// Collective over the runtime. `settings` have been checked, and the grid in them is the one to use.
[[nodiscard]] std::unique_ptr<FftEngine> slab_engine(Runtime& runtime, const fft::Settings& settings,
                                                     fft::Timers& timers);
[[nodiscard]] std::unique_ptr<FftEngine> grid_engine(Runtime& runtime, const fft::Settings& settings,
                                                     fft::Timers& timers);

/// Complex numbers in a row of the spectrum.
[[nodiscard]] inline std::size_t spectrum_length(const fft::Settings& settings) {
  return settings.kind == fft::Kind::real ? settings.size[2] / 2 + 1 : settings.size[2];
}

}  // namespace stretto::kernel

namespace stretto::fft {

/// With the grid that is to be used in them. Throws ArgumentError as a plan does.
[[nodiscard]] Settings checked_settings(Settings settings, int ranks);

}  // namespace stretto::fft
