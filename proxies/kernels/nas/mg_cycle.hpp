// SPDX-License-Identifier: BSD-3-Clause
// The V-cycle of NAS MG (RNR-94-007, kernel MG) on one rank's parts of all levels: the order of computation
// and communication.
#pragma once

#include <stretto/plan_timers.hpp>
#include <stretto/runtime.hpp>
#include <vector>

#include "kernels/nas/classes.hpp"
#include "kernels/nas/mg_exchange.hpp"
#include "kernels/nas/mg_rows.hpp"
#include "kernels/nas/mg_steps.hpp"

namespace stretto::kernel::nas {

class MgCycle {
 public:
  /// Collective over the runtime.
  MgCycle(Runtime& runtime, const MgClass& size, const MgGrid& grid, const ExchangeMode& mode);

  /// This rank's part of the right side, which the caller fills.
  [[nodiscard]] MgField& right_side() { return right_side_; }
  /// Sets the solution to zero.
  void clear() { finest().solution.clear(); }
  /// Computes the residual of the current solution.
  void compute_residual();
  /// One V-cycle: improves the solution and computes its residual. Collective.
  void cycle();
  /// The sum of the squares of this rank's part of the residual.
  [[nodiscard]] double squares() const;

  /// The timers of all communication; the caller adds its own computation.
  [[nodiscard]] PlanTimers& timers() { return exchange_.timers(); }
  [[nodiscard]] std::uint64_t messages() const { return exchange_.messages(); }

 private:
  struct Level {
    explicit Level(const MgExtent& extent) : solution(extent), residual(extent) {}
    [[nodiscard]] const MgExtent& extent() const { return solution.extent(); }
    MgField solution;
    MgField residual;
  };
  /// A coarse field in the coordinates of a fine level's part of it: rows count from `y` and `z`.
  struct Coarse {
    MgField& field;
    int y = 0;
    int z = 0;
  };

  [[nodiscard]] Level& at(int level) { return levels_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] Level& finest() { return levels_.back(); }
  [[nodiscard]] int top() const { return static_cast<int>(levels_.size()) - 1; }
  [[nodiscard]] Coarse coarse(int level, MgField Level::*field);
  void take(const MgStep& step);
  void restrict_residual(int level);
  void restrict_row_of(int level, const Coarse& to, int y, int z);
  void prolong(int level);
  void correct(int level);
  void correct_finest();
  void interpolate(int level, MgRange rows, int z);
  void subtract_operator(int level, MgRange rows, int z);
  void smooth(int level, MgRange rows, int z);
  void start_early(MgHalo halo, int level);
  void complete(MgHalo halo, int level);
  [[nodiscard]] MgField& field_of(MgHalo halo, int level);

  MgGrid grid_;
  bool overlap_;
  MgStencil smoother_;
  std::vector<Level> levels_;  // coarsest first
  MgField right_side_;
  AlignedArray<double> zeros_;
  MgScratch scratch_;
  MgExchange exchange_;
};

}  // namespace stretto::kernel::nas
