// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/jacobi.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stretto/collective.hpp>

#include "kernels/jacobi_matrix.hpp"
#include "kernels/jacobi_plan.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/reductions.hpp"
#include "plan/platform.hpp"

namespace stretto::kernel {
namespace {

using mpi::check;

/// The tolerance covers rounding only: sums have another order than in the serial solve.
constexpr double jacobi_tolerance = 1e-12;

constexpr std::array<std::string_view, 6> jacobi_classes = {"S", "W", "A", "B", "C", "D"};
constexpr std::array<std::int64_t, 6> jacobi_sizes = {500, 1000, 2000, 4000, 8000, 16000};
constexpr std::array<std::string_view, 2> jacobi_variants = {"row", "column"};
constexpr std::array<std::string_view, 1> jacobi_transports = {"mpi-two-sided"};
constexpr std::array<Named, 4> jacobi_options = {
    {{"size", "n, instead of the class's"},
     {"iterations", "how many steps (default 20)"},
     {"grid", "of its collectives: flat (default) or P1xP2"},
     {"algorithm", "of its collectives: library (default) or reference"}}};

struct JacobiTimers {
  double compute_s = 0;
  double communicate_s = 0;
};

template <typename Part>
void lap(double& total_s, Part&& part) {
  const double begin_s = plan::now_s();
  part();
  total_s += plan::now_s() - begin_s;
}

/// This rank's lines, and the iterate, padded so that all ranks have parts of equal size.
struct JacobiLines {
  JacobiLines(const JacobiSystem& system, const mpi::Communicator& team)
      : lines((system.n() + team.size() - 1) / team.size()),
        first(std::min(system.n(), lines * team.rank())),
        count(std::min(system.n(), first + lines) - first),
        x(static_cast<std::size_t>(lines * team.size()), 0.0) {}

  std::int64_t lines;
  std::int64_t first;
  std::int64_t count;
  std::vector<double> x;
};

/// A row-wise step, eq. 1: scalar products with the whole iterate, then an allgather of its parts.
class RowStep {
 public:
  RowStep(const JacobiSystem& system, const mpi::Communicator& team, JacobiLines& share,
          const JacobiPlan& plan)
      : system_(system),
        team_(team),
        share_(share),
        plan_(plan),
        rows_(system, JacobiBlock::Lines::rows, share.first, share.count, !plan::memory_is_shared()),
        mine_(static_cast<std::size_t>(share.lines), 0.0) {}

  void operator()(JacobiTimers& timers) {
    const std::int64_t n = system_.n();
    lap(timers.compute_s, [&] {
      for (std::int64_t i = 0; i < share_.count; ++i) {
        const double* row = rows_.line(i);
        double sum = 0;
        for (std::int64_t j = 0; j < n; ++j) sum += row[j] * share_.x[static_cast<std::size_t>(j)];
        mine_[static_cast<std::size_t>(i)] =
            (system_.right_side(share_.first + i) - sum) / system_.diagonal();
      }
      plan::computed(2.0 * static_cast<double>(share_.count * n));
    });
    lap(timers.communicate_s, [&] {
      const int count = static_cast<int>(share_.lines);
      collective::allgather(mine_.data(), count, MPI_DOUBLE, share_.x.data(), count, MPI_DOUBLE, team_.get(),
                            plan_.form);
    });
  }

 private:
  const JacobiSystem& system_;
  const mpi::Communicator& team_;
  JacobiLines& share_;
  const JacobiPlan& plan_;
  JacobiBlock rows_;
  std::vector<double> mine_;
};

/// A column-wise step, eq. 2: each rank multiplies its columns by its part of the iterate. A reduction sums
/// at the root, which computes the new iterate and broadcasts it.
class ColumnStep {
 public:
  ColumnStep(const JacobiSystem& system, const mpi::Communicator& team, JacobiLines& share,
             const JacobiPlan& plan)
      : system_(system),
        team_(team),
        share_(share),
        plan_(plan),
        columns_(system, JacobiBlock::Lines::columns, share.first, share.count, !plan::memory_is_shared()),
        part_(static_cast<std::size_t>(system.n())),
        sum_(part_.size()) {}

  void operator()(JacobiTimers& timers) {
    const std::int64_t n = system_.n();
    const auto count = static_cast<int>(n);
    lap(timers.compute_s, [&] {
      std::fill(part_.begin(), part_.end(), 0.0);
      for (std::int64_t j = 0; j < share_.count; ++j) {
        const double* column = columns_.line(j);
        const double x = share_.x[static_cast<std::size_t>(share_.first + j)];
        for (std::int64_t i = 0; i < n; ++i) part_[static_cast<std::size_t>(i)] += column[i] * x;
      }
      plan::computed(2.0 * static_cast<double>(share_.count * (n - 1)));
    });
    lap(timers.communicate_s, [&] {
      collective::reduce(part_.data(), sum_.data(), count, MPI_DOUBLE, MPI_SUM, 0, team_.get(), plan_.form);
    });
    if (team_.rank() == 0) {
      lap(timers.compute_s, [&] {
        for (std::int64_t i = 0; i < n; ++i) {
          const auto at = static_cast<std::size_t>(i);
          share_.x[at] = (system_.right_side(i) - sum_[at]) / system_.diagonal();
        }
        plan::computed(2.0 * static_cast<double>(n));
      });
    }
    lap(timers.communicate_s,
        [&] { collective::broadcast(share_.x.data(), count, MPI_DOUBLE, 0, team_.get(), plan_.form); });
  }

 private:
  const JacobiSystem& system_;
  const mpi::Communicator& team_;
  JacobiLines& share_;
  const JacobiPlan& plan_;
  JacobiBlock columns_;
  std::vector<double> part_;
  std::vector<double> sum_;
};

/// The largest difference from the serial solve, relative to the largest value of the serial solve. Valid at
/// rank 0.
double jacobi_deviation(const JacobiSystem& system, int iterations, const std::vector<double>& x) {
  const std::vector<double> truth = jacobi_serial(system, iterations);
  double difference = 0;
  double scale = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    difference = std::max(difference, std::abs(x[i] - truth[i]));
    scale = std::max(scale, std::abs(truth[i]));
  }
  return difference / scale;
}

template <typename Step>
double iterate(Step& step, int iterations, const mpi::Communicator& team, JacobiTimers& timers) {
  check(MPI_Barrier(team.get()), "MPI_Barrier");
  const double begin_s = plan::now_s();
  for (int i = 0; i < iterations; ++i) step(timers);
  return mpi::largest_over(team.get(), plan::now_s() - begin_s);
}

/// Operations per iteration of rank 0, which computes longest: those of eq. 1 or 2; column-wise it also
/// computes the new iterate from the sum.
double longest_operations(const JacobiSystem& system, const JacobiLines& share, const JacobiPlan& plan) {
  const auto n = static_cast<double>(system.n());
  const auto lines = static_cast<double>(share.lines);
  return plan.by_row ? 2 * lines * n : 2 * lines * (n - 1) + 2 * n;
}

using Members = std::vector<std::pair<std::string, Member>>;

/// Further members of the result: the plan, and t_op of eq. 1 and 2.
Members more_of(const JacobiSystem& system, int iterations, const JacobiPlan& plan, double t_op_s,
                double difference) {
  return {{"size", system.n()},
          {"iterations", std::int64_t{iterations}},
          {"layout", std::string{plan.by_row ? "row" : "column"}},
          {"algorithm", std::string{to_string(plan.form.algorithm)}},
          {"grid", to_string(plan.form.grid)},
          {"t_op_s", t_op_s},
          {"deviation", difference}};
}

RunResult run_jacobi(const Request& request, MPI_Comm communicator) {
  const auto place = std::ranges::find(jacobi_classes, request.class_name) - jacobi_classes.begin();
  const std::int64_t n = request.whole("size", jacobi_sizes[static_cast<std::size_t>(place)], 2, 100'000);
  const auto iterations = static_cast<int>(request.whole("iterations", 20, 1, 1'000'000));

  const mpi::Communicator team(communicator);
  const JacobiSystem system(n);
  const JacobiPlan plan = jacobi_plan(request, team);
  JacobiLines share(system, team);
  JacobiTimers timers;
  RunResult result;
  if (plan.by_row) {
    RowStep step(system, team, share, plan);
    result.time_s = iterate(step, iterations, team, timers);
  } else {
    ColumnStep step(system, team, share, plan);
    result.time_s = iterate(step, iterations, team, timers);
  }
  const double compute_s = mpi::largest_over(team.get(), timers.compute_s);
  result.timers_s = {{"compute", compute_s},
                     {"communicate", mpi::largest_over(team.get(), timers.communicate_s)}};
  const double operations = 2 * static_cast<double>(n) * static_cast<double>(n) * iterations;
  result.mops = 1e-6 * operations / result.time_s;
  result.messages = static_cast<std::int64_t>(iterations) * team.size() * (plan.by_row ? 1 : 2);
  const double mine = team.rank() == 0 ? jacobi_deviation(system, iterations, share.x) : 0;
  const double difference = mpi::largest_over(team.get(), mine);
  result.verified = difference <= jacobi_tolerance;
  const double t_op_s = compute_s / iterations / longest_operations(system, share, plan);
  result.members = more_of(system, iterations, plan, t_op_s, difference);
  return result;
}

}  // namespace

const Kernel jacobi = {.name = "jacobi",
                       .about = "Jacobi iteration, the matrix by rows or by columns",
                       .classes = jacobi_classes,
                       .variants = jacobi_variants,
                       .transports = jacobi_transports,
                       .options = jacobi_options,
                       .variant_prefix = {},
                       .run = run_jacobi,
                       .alternatives = nullptr,  // its layout and grid are predicted before the ranks start
                       .trial_s = nullptr};

}  // namespace stretto::kernel
