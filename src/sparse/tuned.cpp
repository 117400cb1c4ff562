// SPDX-License-Identifier: BSD-3-Clause
// The choice of an exchange by timing the candidates.
#include <optional>
#include <stretto/checked_size.hpp>
#include <stretto/spmv.hpp>
#include <vector>

#include "onesided/api/agreement.hpp"
#include "plan/trial.hpp"
#include "sparse/candidate_settings.hpp"

namespace stretto::spmv {
std::vector<Settings> candidate_settings(int ranks) {
  std::vector<Settings> all{{.exchange = Exchange::signalled}};
  if (ranks == 1) return all;
  all.push_back({.exchange = Exchange::vector});
  all.push_back({.exchange = Exchange::blocks, .prefetch = 1});
  if (ranks > 2)
    all.push_back({.exchange = Exchange::blocks, .prefetch = static_cast<std::size_t>(ranks) - 1});
  return all;
}

Plan Plan::tuned(Runtime& runtime, const Part& part) {
  MPI_Comm communicator = runtime.communicator();
  std::vector<double> x;
  std::vector<double> y;
  onesided::agree(runtime, [&] {
    detail::check_object_size("x_count", detail::checked_product("x_count", part.x_count, sizeof(double)));
    x.resize(part.x_count);
    y.resize(part.start.empty() ? 0 : part.start.size() - 1);
  });
  std::optional<Settings> best;
  double best_s = 0;
  for (const Settings& tried : candidate_settings(runtime.size())) {
    Plan plan(runtime, part, tried);
    const double took_s = plan::trial_s(communicator, [&] {
      plan.multiply(x, y);
      runtime.barrier();  // a rank that has finished a product still serves the others
    });
    if (best && took_s >= best_s) continue;
    best = tried;
    best_s = took_s;
  }
  return {runtime, part, *best};
}

}  // namespace stretto::spmv
