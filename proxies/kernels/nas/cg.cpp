// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/cg.hpp"

#include <algorithm>
#include <cmath>
#include <stretto/runtime.hpp>
#include <utility>
#include <vector>

#include "kernels/nas/cg_grid.hpp"
#include "kernels/nas/cg_vectors.hpp"
#include "kernels/runtime_options.hpp"
#include "kernels/totals.hpp"
#include "kernels/transports.hpp"
#include "plan/platform.hpp"
#include "plan/scope_timer.hpp"
#include "plan/trial.hpp"

namespace stretto::kernel {
namespace {

class CgSolver {
 public:
  CgSolver(Runtime& runtime, const nas::CgClass& size, const nas::ExchangeMode& mode)
      : size_(size), grid_(runtime, size, mode) {
    for (std::vector<double>* vector : {&x_, &z_, &p_, &q_, &r_}) vector->resize(grid_.piece());
  }

  /// Returns zeta after `iterations` steps of inverse iteration.
  double solve(int iterations) {
    const plan::ScopeTimer whole(grid_.timers(), &PlanTimers::work_s);
    std::fill(x_.begin(), x_.end(), 1.0);
    double zeta = 0;
    for (int i = 0; i < iterations; ++i) {
      conjugate_gradient();
      zeta = size_.shift + 1 / product(x_, z_);
      const double norm = std::sqrt(product(z_, z_));
      for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = z_[k] / norm;
    }
    return zeta;
  }

  [[nodiscard]] CgGrid& grid() { return grid_; }

 private:
  double product(const std::vector<double>& a, const std::vector<double>& b) {
    plan::computed(2.0 * static_cast<double>(a.size()));
    return grid_.sum(nas::dot(a.data(), b.data(), a.size()));
  }

  /// Solves A z = x approximately. Also computes the residual, because the benchmark includes it in the time.
  void conjugate_gradient() {
    std::fill(z_.begin(), z_.end(), 0.0);
    r_ = x_;
    p_ = r_;
    double rho = product(r_, r_);
    for (int step = 0; step < nas::cg_steps; ++step) {
      grid_.multiply(p_.data(), q_.data());
      const double alpha = rho / product(p_, q_);
      const double own = nas::step_along(alpha, p_.data(), q_.data(), z_.data(), r_.data(), z_.size());
      plan::computed(6.0 * static_cast<double>(z_.size()));
      const double before = std::exchange(rho, grid_.sum(own));
      for (std::size_t k = 0; k < p_.size(); ++k) p_[k] = r_[k] + rho / before * p_[k];
      plan::computed(2.0 * static_cast<double>(p_.size()));
    }
    grid_.multiply(z_.data(), r_.data());
    for (std::size_t k = 0; k < r_.size(); ++k) r_[k] = x_[k] - r_[k];
    residual_ = std::sqrt(product(r_, r_));
  }

  const nas::CgClass& size_;
  CgGrid grid_;
  std::vector<double> x_;
  std::vector<double> z_;
  std::vector<double> p_;
  std::vector<double> q_;
  std::vector<double> r_;
  double residual_ = 0;
};

/// Floating-point operations, as the benchmark counts them.
double cg_operations(const nas::CgClass& size) {
  const double row = nas::cg_nonzeros_of_row(size);
  return 2.0 * size.iterations * static_cast<double>(size.rows) * (3 + row + nas::cg_steps * (5 + row) + 3);
}

RunResult run_cg(const Request& request, MPI_Comm communicator) {
  const nas::CgClass& size = nas::cg_class(request.class_name);
  const nas::ExchangeMode mode = nas::exchange_mode_of(request);
  Runtime runtime(communicator, runtime_options(mode.transport));
  CgSolver solver(runtime, size, mode);
  if (plan::first_run_differs()) (void)solver.solve(1);  // as in the benchmark, an untimed run of everything
  solver.grid().timers() = {};
  const std::uint64_t messages_before = solver.grid().messages();
  runtime.barrier();
  const double began_s = plan::now_s();
  const double zeta = solver.solve(size.iterations);
  RunResult result{.time_s = largest_over(communicator, plan::now_s() - began_s)};
  const double error = std::abs(zeta - size.zeta) / size.zeta;
  result.verified = error <= nas::cg_tolerance;
  result.mops = cg_operations(size) / result.time_s / 1e6;
  add_totals(result, solver.grid().timers(), solver.grid().messages() - messages_before, communicator);
  result.members = {{"moved_by", std::string(to_string(mode.transport))},
                    {"progress", std::string(to_string(runtime.progress()))},
                    {"grid", std::to_string(solver.grid().grid_rows()) + "x" +
                                 std::to_string(solver.grid().grid_columns())},
                    {"zeta", zeta},
                    {"error", error}};
  return result;
}

/// A step of inverse iteration.
double cg_trial_s(const Request& request, MPI_Comm communicator, double enough_s) {
  const nas::ExchangeMode mode = nas::exchange_mode_of(request);
  Runtime runtime(communicator, runtime_options(mode.transport));
  CgSolver solver(runtime, nas::cg_class(request.class_name), mode);
  return plan::trial_s(
      communicator, [&] { (void)solver.solve(1); }, enough_s);
}

}  // namespace

const Kernel cg{.name = "cg",
                .about = "NAS CG: conjugate gradients with a random sparse matrix, on a grid of ranks",
                .classes = nas::class_names,
                .variants = nas::exchange_variants,
                .transports = kernel_transports,
                .two_sided_variant = "two-sided",
                .options = {},
                .variant_prefix = {},
                .run = run_cg,
                .alternatives = nas::exchange_alternatives,
                .trial_s = cg_trial_s};

}  // namespace stretto::kernel
