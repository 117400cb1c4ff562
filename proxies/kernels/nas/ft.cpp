// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/ft.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <stretto/collective_form.hpp>
#include <stretto/error.hpp>
#include <stretto/fft.hpp>
#include <stretto/runtime.hpp>

#include "fft/candidate_schedules.hpp"
#include "kernels/nas/classes.hpp"
#include "kernels/nas/random.hpp"
#include "kernels/runtime_options.hpp"
#include "kernels/totals.hpp"
#include "kernels/transports.hpp"
#include "mpi/check.hpp"
#include "plan/platform.hpp"
#include "plan/trial.hpp"

namespace stretto::kernel {
namespace {

using fft::Complex;

/// The arrays of a run. x is the fastest index, as in the specification: n0, n1, n2 are nz, ny, nx.
class FtProblem {
 public:
  FtProblem(Runtime& runtime, const nas::FtClass& size, const fft::Settings& settings)
      : size_(size),
        plan_(runtime, settings),
        natural_(plan_.input().elements()),
        spectrum_(plan_.spectrum().elements()),
        factor_x_(2 * size.nx),
        factor_y_(size.ny),
        factor_z_(size.nz) {}

  /// The timed part of the benchmark: initial conditions, transform, and all iterations.
  void solve(int iterations) {
    sums_.assign(static_cast<std::size_t>(iterations), 0);
    set_factors();
    set_initial_conditions();
    plan_.forward(std::span<const Complex>(natural_), spectrum_);
    for (Complex& sum : sums_) {
      plan_.inverse(std::span<const Complex>(spectrum_), natural_,
                    [this](std::size_t plane) { evolve(plane); });
      sum = own_checksum();
    }
  }

  /// This rank's part of each iteration's checksum.
  [[nodiscard]] std::span<Complex> sums() { return sums_; }
  [[nodiscard]] fft::Plan& plan() { return plan_; }

 private:
  /// Computes exp(-4 alpha pi^2 k^2) for the wave numbers k of each dimension. Those of x appear twice, for
  /// the real and imaginary parts.
  void set_factors() {
    const auto factor = [](std::size_t i, std::size_t n) {
      const double k = static_cast<double>(i) - (i < n / 2 ? 0.0 : static_cast<double>(n));
      constexpr double alpha = 1e-6;
      return std::exp(-4 * alpha * std::numbers::pi * std::numbers::pi * k * k);
    };
    for (std::size_t i = 0; i < size_.nx; ++i) factor_x_[2 * i] = factor_x_[2 * i + 1] = factor(i, size_.nx);
    for (std::size_t i = 0; i < size_.ny; ++i) factor_y_[i] = factor(i, size_.ny);
    for (std::size_t i = 0; i < size_.nz; ++i) factor_z_[i] = factor(i, size_.nz);
  }

  void set_initial_conditions() {
    const fft::Box box = plan_.input();
    nas::Random random(nas::random_seed);
    const std::size_t plane = size_.nx * size_.ny;
    Complex* to = natural_.data();
    random.skip(2 * (box.first[0] * plane + box.first[1] * size_.nx));
    for (std::size_t z = 0; z < box.count[0]; ++z) {
      for (std::size_t i = 0; i < box.count[1] * size_.nx; ++i) {
        const double real = random.next();
        *to++ = {real, random.next()};
      }
      random.skip(2 * (plane - box.count[1] * size_.nx));
    }
    plan::computed(nas::ft_initial_flops * static_cast<double>(natural_.size()));
  }

  /// One time step for a plane of the spectrum, [ny of this rank][nz][nx], just before it is transformed.
  void evolve(std::size_t plane) {
    const fft::Box box = plan_.spectrum();
    const double factor_y = factor_y_[box.first[1] + plane];
    const double* factor_x = factor_x_.data() + 2 * box.first[2];
    const std::size_t row = 2 * box.count[2];
    auto* values = reinterpret_cast<double*>(spectrum_.data()) + plane * size_.nz * row;
    for (std::size_t z = 0; z < size_.nz; ++z) {
      const double factor = factor_y * factor_z_[z];
      for (std::size_t i = 0; i < row; ++i) values[z * row + i] *= factor * factor_x[i];
    }
    plan::computed(nas::ft_evolve_flops * static_cast<double>(size_.nz * box.count[2]));
  }

  /// The sum of u(j mod nx, 3j mod ny, 5j mod nz) for j from 1 to 1024, over the points on this rank.
  [[nodiscard]] Complex own_checksum() const {
    const fft::Box box = plan_.input();
    Complex sum = 0;
    for (std::size_t j = 1; j <= 1024; ++j) {
      const std::size_t x = j % size_.nx;
      const std::size_t y = 3 * j % size_.ny - box.first[1];
      const std::size_t z = 5 * j % size_.nz - box.first[0];
      if (y < box.count[1] && z < box.count[0]) sum += natural_[(z * box.count[1] + y) * size_.nx + x];
    }
    return sum / static_cast<double>(size_.nx * size_.ny * size_.nz);
  }

  const nas::FtClass& size_;
  fft::Plan plan_;
  std::vector<Complex> natural_;   // initial conditions, then each iteration's solution
  std::vector<Complex> spectrum_;  // transposed
  std::vector<double> factor_x_;
  std::vector<double> factor_y_;
  std::vector<double> factor_z_;
  std::vector<Complex> sums_;
};

fft::Effort effort_of(const Request& request) {
  const std::string effort = request.text("effort", "measure");
  if (effort == "measure") return fft::Effort::measure;
  if (effort == "estimate") return fft::Effort::estimate;
  throw std::invalid_argument("--set effort=" + effort + ": choose from measure, estimate");
}

/// Reads option `grid`, `P1xP2`; 0 x 0: the plan chooses.
std::array<int, 2> ft_grid_of(const Request& request, MPI_Comm communicator) {
  const std::string text = request.text("grid", "");
  if (text.empty()) return {0, 0};
  const auto grid = collective::grid_from(text);
  int ranks = 0;
  mpi::check(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  if (!grid || !grid->is_regular(ranks)) {
    throw std::invalid_argument("--set grid=" + text + ": give P1xP2 that is " + std::to_string(ranks) +
                                " ranks");
  }
  return {grid->rows, grid->columns};
}

fft::Settings ft_settings(const Request& request, const nas::FtClass& size, MPI_Comm communicator) {
  fft::Settings settings{.size = {size.nz, size.ny, size.nx},
                         .order = fft::Order::transposed,
                         .effort = effort_of(request),
                         .grid = ft_grid_of(request, communicator)};
  try {
    settings.transport = transport_from(request.transport);
    if (request.variant == "alltoall") {
      settings.transport = Transport::alltoall;
    } else {
      settings.schedule = fft::schedule_from(request.variant);
    }
  } catch (const ArgumentError& error) {
    throw std::invalid_argument("--variant " + request.variant + ": " + error.what());
  }
  return settings;
}

FtProblem ft_problem(Runtime& runtime, const nas::FtClass& size, const fft::Settings& settings) {
  try {
    return {runtime, size, settings};
  } catch (const ArgumentError& error) {
    throw std::invalid_argument(error.what());
  }
}

/// The largest relative error of a checksum.
double worst_error(std::span<const Complex> sums, std::span<const Complex> expected) {
  double worst = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double error = std::abs((sums[i] - expected[i]) / expected[i]);
    worst = error <= worst ? worst : error;  // NaN stays
  }
  return worst;
}

/// Floating-point operations, as the benchmark counts them.
double ft_operations(const nas::FtClass& size, double iterations) {
  const auto points = static_cast<double>(size.nx * size.ny * size.nz);
  return points *
         (14.8157 + 7.19641 * std::log(points) + (5.23518 + 7.21113 * std::log(points)) * iterations);
}

/// The maximum over the ranks.
std::int64_t largest_bytes(std::size_t bytes, MPI_Comm communicator) {
  return static_cast<std::int64_t>(largest_over(communicator, static_cast<double>(bytes)));
}

RunResult run_ft(const Request& request, MPI_Comm communicator) {
  const nas::FtClass& size = nas::ft_class(request.class_name);
  const fft::Settings settings = ft_settings(request, size, communicator);
  const auto most = static_cast<std::int64_t>(size.checksums.size());
  const auto iterations = static_cast<std::size_t>(request.whole("iterations", most, 1, most));
  Runtime runtime(communicator, runtime_options(settings.transport));
  FtProblem problem = ft_problem(runtime, size, settings);
  if (plan::first_run_differs()) problem.solve(1);  // as in the benchmark, an untimed run of everything
  problem.plan().reset_timers();
  const std::uint64_t messages_before = problem.plan().messages();
  runtime.barrier();
  const std::uint64_t copied_before = runtime.counters()[Path::message].copied_bytes;
  const double began_s = plan::now_s();
  problem.solve(static_cast<int>(iterations));
  sum_over(communicator, reinterpret_cast<double*>(problem.sums().data()), 2 * problem.sums().size());
  RunResult result{.time_s = largest_over(communicator, plan::now_s() - began_s)};
  const double error = worst_error(problem.sums(), size.checksums.first(iterations));
  result.verified = error <= nas::ft_tolerance;
  result.mops = ft_operations(size, static_cast<double>(iterations)) / result.time_s / 1e6;
  add_totals(result, problem.plan().timers(), problem.plan().messages() - messages_before, communicator);
  const auto& grid = problem.plan().settings().grid;
  const std::uint64_t copied_bytes = runtime.counters()[Path::message].copied_bytes - copied_before;
  result.members = {{"moved_by", std::string(to_string(settings.transport))},
                    {"progress", std::string(to_string(runtime.progress()))},
                    {"grid", std::to_string(grid[0]) + "x" + std::to_string(grid[1])},
                    {"worst_error", error},
                    {"copied_by_runtime_bytes", largest_bytes(copied_bytes, communicator)},
                    {"copy_bytes", largest_bytes(problem.plan().copy_bytes(), communicator)},
                    {"memory_bytes", largest_bytes(problem.plan().memory_bytes(), communicator)}};
  return result;
}

/// A transform forward and one back, and the time step between them.
double ft_trial_s(const Request& request, MPI_Comm communicator, double enough_s) {
  const nas::FtClass& size = nas::ft_class(request.class_name);
  const fft::Settings settings = ft_settings(request, size, communicator);
  Runtime runtime(communicator, runtime_options(settings.transport));
  FtProblem problem = ft_problem(runtime, size, settings);
  return plan::trial_s(
      communicator, [&] { problem.solve(1); }, enough_s);
}

std::vector<Alternative> ft_alternatives(const Request& request, MPI_Comm communicator) {
  int ranks = 0;
  mpi::check(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  const fft::Settings settings = ft_settings(request, nas::ft_class(request.class_name), communicator);
  std::vector<Alternative> all{{"alltoall", "mpi-two-sided", {}, false}};
  for (const fft::Schedule& schedule : fft::candidate_schedules(settings, ranks)) {
    const bool packed = schedule.shape == fft::Schedule::Shape::packed_slabs;
    for (const char* transport : {"mpi-two-sided", "stretto", "mpi-rma"}) {
      if (packed && all.front().transport == transport) continue;  // in one call it is `alltoall`
      all.push_back({to_string(schedule), transport, {}, !packed});
    }
  }
  return all;
}

constexpr std::array<std::string_view, 4> ft_variants{"slabs", "packed-slabs", "pencils", "alltoall"};
constexpr std::array<Named, 3> ft_options{
    {{"effort", "of FFTW's planning: measure, estimate"},
     {"grid", "of ranks, P1xP2; else slabs where there are planes for all, or nearest to a square"},
     {"iterations", "only the first so many of the class; their checksums are verified"}}};

}  // namespace

const Kernel ft{.name = "ft",
                .about = "NAS FT: 3-D transforms, their transpose under their computation",
                .classes = nas::class_names,
                .variants = ft_variants,
                .transports = kernel_transports,
                .two_sided_variant = "alltoall",
                .options = ft_options,
                .variant_prefix = "chunks=",
                .run = run_ft,
                .alternatives = ft_alternatives,
                .trial_s = ft_trial_s};

}  // namespace stretto::kernel
