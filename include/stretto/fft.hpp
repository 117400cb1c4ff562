// SPDX-License-Identifier: BSD-3-Clause
// Distributed three-dimensional transforms. Their transpose runs under the computation.
//
// The array is n0 x n1 x n2, the last index fastest. In slabs, rank r of P has planes n0 r/P to n0 (r+1)/P
// (whole numbers, rounded down), so that sizes need not divide. On a grid of p1 x p2 ranks, rank r has the
// part r / p2 of n0 and the part r % p2 of n1. Transforms are unscaled, as FFTW's: inverse after forward
// gives n0 n1 n2 times the input. Schedules are those of Bell, Bonachea, Nishtala and Yelick (IPDPS 2006).
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stretto/plan_timers.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transport.hpp>
#include <string>
#include <string_view>

namespace stretto::fft {

using Complex = std::complex<double>;

/// Real transforms keep n2 / 2 + 1 complex numbers of each row of n2 real ones.
enum class Kind { complex, real };

/// How a spectrum lies: like the input, or as the transpose leaves it, which saves the way back:
/// [n1 of this rank][n0][n2], and on a grid [n1 by p1][n0][n2 by p2].
enum class Order { natural, transposed };

/// In how many messages a plane leaves. `packed_slabs`: one a target for all planes, when all are
/// transformed. `slabs`: one a target and plane. `pencils`: one a row. `chunks`: so many a plane, at least
/// one a target, the part for oneself counted. The all-to-all is always packed.
struct Schedule {
  enum class Shape { packed_slabs, slabs, pencils, chunks };
  Shape shape = Shape::slabs;
  std::size_t chunks = 0;
};

/// `packed-slabs`, `slabs`, `pencils` or `chunks=X`; throws ArgumentError `schedule` for anything else.
[[nodiscard]] Schedule schedule_from(std::string_view text);
[[nodiscard]] std::string to_string(const Schedule& schedule);

/// FFTW's planning effort.
enum class Effort { measure, estimate };

struct Settings {
  std::array<std::size_t, 3> size{};  ///< n0, n1, n2, each at least 1
  Kind kind = Kind::complex;
  Order order = Order::natural;
  Transport transport = Transport::one_sided;
  Schedule schedule{};
  Effort effort = Effort::measure;
  std::size_t batch = 1;  ///< arrays that one call transforms, one behind the other
  /// p1 x p2, equal on all ranks. {0, 0}: slabs where there is a plane for every rank, before and after the
  /// transpose; else the grid nearest to a square on which every rank has something.
  std::array<int, 2> grid{0, 0};
};

/// A part of the array: from `first`, `count` in each dimension.
struct Box {
  std::array<std::size_t, 3> first{};
  std::array<std::size_t, 3> count{};
  [[nodiscard]] std::size_t elements() const { return count[0] * count[1] * count[2]; }
};

/// Called with the number of a local plane just before it is read. A program that prepares the input plane by
/// plane then has it in the cache.
using BeforePlane = std::function<void(std::size_t plane)>;

class Plan {
 public:
  /// Collective over the runtime, which must outlive the plan. Throws ArgumentError `settings` for a size of
  /// 0, a grid that is not the runtime's size or has a rank without data, fewer chunks than ranks, a batch of
  /// 0.
  Plan(Runtime& runtime, const Settings& settings);
  /// The fastest of the schedules over `settings.transport`: in slabs by the file `profile`, else the one
  /// that STRETTO_PROFILE names, of rank 0, if it knows that transport and the rate of transforms; else, and
  /// on a grid, by the longest rank's median of a few transforms of zeros. Collective; all ranks choose
  /// alike. Throws Error on all ranks where the file cannot be read as a profile.
  [[nodiscard]] static Plan tuned(Runtime& runtime, const Settings& settings,
                                  const std::string& profile = {});
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  /// The effective settings: grid and schedule are those that were chosen.
  [[nodiscard]] const Settings& settings() const;
  /// This rank's part of the array; of a real one in real numbers.
  [[nodiscard]] Box input() const;
  /// Its part of the spectrum, first and count by dimension of the array; n2 counts complex numbers.
  /// Transposed, it lies in memory as [n1][n0][n2].
  [[nodiscard]] Box spectrum() const;

  // Collective, in the same order on all ranks. Both spans have `batch` times the elements of their part,
  // else ArgumentError names the one that has not. They may be the same memory (of a batch, where both parts
  // have as many bytes, else ArgumentError), but not overlap otherwise.
  // `before` must not call the plan, which throws Error. It may free the plan: that happens when the
  // transform has ended. After an exception of `before` or of a wait the plan can only be freed: every call
  // throws Error. Once the runtime is finalized, FinalizedError. NaN passes through as NaN. Real plans take
  // the second pair, else ArgumentError.
  void forward(std::span<const Complex> in, std::span<Complex> out, const BeforePlane& before = {});
  void inverse(std::span<const Complex> in, std::span<Complex> out, const BeforePlane& before = {});
  void forward(std::span<const double> in, std::span<Complex> out, const BeforePlane& before = {});
  void inverse(std::span<const Complex> in, std::span<double> out, const BeforePlane& before = {});

  /// The plan's own array, of a complex plan in natural order: a transform into it saves a pass over memory.
  /// The next transform may use it as it likes, unless it is its input. Empty for other plans, for batches
  /// and for packed slabs.
  [[nodiscard]] std::span<Complex> storage() const;

  /// Bytes of one copy of this rank's array: of its parts before, between (on a grid) and after the
  /// transposes, in complex numbers, the largest.
  [[nodiscard]] std::size_t copy_bytes() const;
  /// Bytes that the plan holds in arrays of that size: two copies at most, with what aligns them and a flag
  /// for each group of messages; besides tiles that fit into caches.
  [[nodiscard]] std::size_t memory_bytes() const;
  /// Messages that this rank has sent so far.
  [[nodiscard]] std::uint64_t messages() const;
  [[nodiscard]] const PlanTimers& timers() const;
  void reset_timers();

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace stretto::fft
