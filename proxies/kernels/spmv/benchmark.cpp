// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/spmv/benchmark.hpp"

#include <array>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <stretto/error.hpp>
#include <stretto/runtime.hpp>
#include <stretto/spmv.hpp>

#include "kernels/runtime_options.hpp"
#include "kernels/spmv/problem.hpp"
#include "kernels/totals.hpp"
#include "kernels/transports.hpp"
#include "mpi/check.hpp"
#include "mpi/count.hpp"
#include "plan/platform.hpp"
#include "plan/trial.hpp"
#include "sparse/candidate_settings.hpp"

namespace stretto::kernel {
namespace {

/// Tolerance relative to the sum of a row's absolute terms, for rounding in rows of a few thousand elements.
constexpr double spmv_tolerance = 1e-12;

spmv::Settings spmv_settings(const Request& request) {
  if (request.variant != "blocks" && request.options.contains("prefetch")) {
    throw std::invalid_argument("--set prefetch: is for --variant blocks only; leave it out");
  }
  spmv::Settings settings{.prefetch = static_cast<std::size_t>(request.whole("prefetch", 1, 1, 1 << 20)),
                          .transport = transport_from(request.transport)};
  if (request.variant != "tuned") settings.exchange = spmv::exchange_from(request.variant);
  const bool fetched = request.variant != "signalled" && settings.transport != Transport::one_sided;
  if (fetched) {
    throw std::invalid_argument("--variant " + request.variant + ": is there over stretto only; over " +
                                request.transport + " there is signalled");
  }
  return settings;
}

/// The values of all ranks, on all ranks.
std::vector<double> of_each_rank(MPI_Comm communicator, double value) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  std::vector<double> all(static_cast<std::size_t>(ranks));
  mpi::check(MPI_Allgather(&value, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, communicator), "MPI_Allgather");
  return all;
}

/// Products with two alternating vectors, so that stale elements of the previous product are detected.
class Products {
 public:
  Products(const SpmvProblem& problem, spmv::Plan& plan) : plan_(plan) {
    for (const std::uint64_t which : {0U, 1U}) {
      x_[which] = problem.x(which);
      y_[which].resize(problem.part().start.size() - 1);
    }
  }

  void multiply(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto which = static_cast<std::size_t>(i % 2);
      plan_.multiply(x_[which], y_[which]);
    }
  }

  [[nodiscard]] double deviation(const SpmvProblem& problem) const {
    return std::max(problem.deviation(y_[0], 0), problem.deviation(y_[1], 1));
  }
  [[nodiscard]] const std::vector<double>& product() const { return y_[0]; }

 private:
  spmv::Plan& plan_;
  std::array<std::vector<double>, 2> x_;
  std::array<std::vector<double>, 2> y_;
};

/// Gathers a vector at rank 0; empty elsewhere.
std::vector<double> whole(const std::vector<double>& block, std::size_t total, MPI_Comm communicator) {
  const std::vector<double> sizes = of_each_rank(communicator, static_cast<double>(block.size()));
  std::vector<int> counts;
  std::vector<int> places;
  (void)mpi::count_of(total, "rows to write");
  int place = 0;
  for (const double size : sizes) {
    counts.push_back(static_cast<int>(size));
    places.push_back(std::exchange(place, place + counts.back()));
  }
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  std::vector<double> all(rank == 0 ? total : 0);
  mpi::check(MPI_Gatherv(block.data(), static_cast<int>(block.size()), MPI_DOUBLE, all.data(), counts.data(),
                         places.data(), MPI_DOUBLE, 0, communicator),
             "MPI_Gatherv");
  return all;
}

/// Writes the product with vector 0 and the vector from rank 0. Throws std::runtime_error.
void save(const std::string& path, const std::vector<double>& x, const std::vector<double>& y) {
  std::ofstream file(path, std::ios::binary);
  for (const std::vector<double>* one : {&x, &y}) {
    file.write(reinterpret_cast<const char*>(one->data()),
               static_cast<std::streamsize>(one->size() * sizeof(double)));
  }
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

/// Adds the problem and, as in figures 8 and 9, the communication of each rank to the result.
void describe(const SpmvProblem& problem, const spmv::Plan& plan, std::int64_t products, RunResult& result,
              MPI_Comm communicator) {
  const PlanTimers& timers = plan.timers();
  const auto each = 1.0 / static_cast<double>(products);
  const std::vector<double> needed = of_each_rank(communicator, static_cast<double>(plan.needed_elements()));
  const spmv::Settings& settings = plan.settings();
  result.members = {
      {"rows", static_cast<std::int64_t>(problem.rows())},
      {"columns", static_cast<std::int64_t>(problem.columns())},
      {"nonzeros", static_cast<std::int64_t>(problem.nonzeros())},
      {"exchange", std::string(to_string(settings.exchange))},
      {"prefetch",
       static_cast<std::int64_t>(settings.exchange == spmv::Exchange::blocks ? settings.prefetch : 0)},
      {"products", products},
      {"product_s", result.time_s * each},
      {"elements_of_others", static_cast<std::int64_t>(std::accumulate(needed.begin(), needed.end(), 0.0))},
      {"elements_of_others_per_rank", needed},
      {"communication_per_rank_s",
       of_each_rank(communicator, each * (timers.init_s + timers.sync_s + timers.barrier_s))},
  };
}

RunResult run_spmv(const Request& request, MPI_Comm communicator) {
  const spmv::Settings settings = spmv_settings(request);
  const std::int64_t products = request.whole("products", 20, 2, 1'000'000);
  const SpmvProblem problem(request, communicator);
  Runtime runtime(communicator, runtime_options(settings.transport));
  spmv::Plan plan = request.variant == "tuned" ? spmv::Plan::tuned(runtime, problem.part())
                                               : spmv::Plan(runtime, problem.part(), settings);
  Products series(problem, plan);
  series.multiply(1);  // untimed, so that all memory has been accessed
  plan.reset_timers();
  const std::uint64_t messages_before = plan.messages();
  runtime.barrier();
  const double began_s = plan::now_s();
  series.multiply(products);
  const double took_s = plan::now_s() - began_s;
  runtime.barrier();  // a rank that has finished still serves the others
  RunResult result{.time_s = largest_over(communicator, took_s)};
  result.mops =
      2e-6 * static_cast<double>(problem.nonzeros()) * static_cast<double>(products) / result.time_s;
  add_totals(result, plan.timers(), plan.messages() - messages_before, communicator);
  describe(problem, plan, products, result, communicator);
  result.members.emplace_back("progress", std::string(to_string(runtime.progress())));
  const double deviation = largest_over(communicator, series.deviation(problem));
  result.verified = deviation <= spmv_tolerance;
  result.members.emplace_back("deviation", deviation);
  if (const std::string path = request.text("save", ""); !path.empty()) {
    const std::vector<double> x = whole(problem.x(0), problem.columns(), communicator);
    const std::vector<double> y = whole(series.product(), problem.rows(), communicator);
    if (!y.empty()) save(path, x, y);
  }
  return result;
}

/// The exchanges over the runtime that can be the fastest, and puts over MPI.
std::vector<Alternative> spmv_alternatives(const Request& /*request*/, MPI_Comm communicator) {
  int ranks = 0;
  mpi::check(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::vector<Alternative> all;
  for (const spmv::Settings& one : spmv::candidate_settings(ranks)) {
    const std::string variant(to_string(one.exchange));
    if (one.exchange == spmv::Exchange::blocks) {
      all.push_back({variant, "stretto", {{"prefetch", std::to_string(one.prefetch)}}, true});
      continue;
    }
    all.push_back({variant, "stretto", {}, true});
    if (one.exchange != spmv::Exchange::signalled) continue;
    for (const char* transport : {"mpi-two-sided", "mpi-rma"}) all.push_back({variant, transport, {}, true});
  }
  return all;
}

/// A product.
double spmv_trial_s(const Request& request, MPI_Comm communicator, double enough_s) {
  const spmv::Settings settings = spmv_settings(request);
  const SpmvProblem problem(request, communicator);
  Runtime runtime(communicator, runtime_options(settings.transport));
  spmv::Plan plan(runtime, problem.part(), settings);
  Products series(problem, plan);
  const auto product = [&] {
    series.multiply(1);
    runtime.barrier();  // a rank that has finished a product still serves the others
  };
  return plan::trial_s(communicator, product, enough_s);
}

constexpr std::array<std::string_view, 6> spmv_variants{"signalled",  "aggregate", "vector",
                                                        "individual", "blocks",    "tuned"};
constexpr std::array<Named, 5> spmv_options{
    {{"matrix", "av41092-like (default), or a file in the binary form (`--matrix` makes it of others)"},
     {"scale", "of av41092-like: so many times as large (default 1)"},
     {"products", "how many are timed (default 20)"},
     {"prefetch", "of blocks: how many are fetched ahead (default 1)"},
     {"save", "a file for the vector and the product, as doubles"}}};

}  // namespace

const Kernel spmv_kernel{.name = "spmv",
                         .about = "a sparse matrix times vectors; elements of others by put or get",
                         .classes = {},
                         .variants = spmv_variants,
                         .transports = kernel_transports,
                         .options = spmv_options,
                         .variant_prefix = {},
                         .run = run_spmv,
                         .alternatives = spmv_alternatives,
                         .trial_s = spmv_trial_s};

}  // namespace stretto::kernel
