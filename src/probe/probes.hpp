// SPDX-License-Identifier: BSD-3-Clause
// The probes, one file each: from settings to the cases of a sweep over one transport.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "measure/experiment.hpp"
#include "probe/bench.hpp"
#include "probe/settings.hpp"

namespace stretto::probe {

using Cases = std::vector<std::unique_ptr<measure::Experiment>>;

[[nodiscard]] Cases latency_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases bandwidth_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases loggp_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases overlap_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases aggregation_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases contention_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases ft_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases spmv_cases(const Settings& settings, const Bench& bench);
[[nodiscard]] Cases collective_cases(const Settings& settings, const Bench& bench);

struct Probe {
  std::string_view name;
  Cases (*cases)(const Settings&, const Bench&);
};

/// All of them, in the order in which a report shows them.
[[nodiscard]] std::span<const Probe> all_probes();

/// Null when there is none of that name.
[[nodiscard]] const Probe* find_probe(std::string_view name);

/// The requested operations that the transport has.
[[nodiscard]] std::vector<exchange::Operation> operations_of(const Settings& settings, const Bench& bench);

}  // namespace stretto::probe
