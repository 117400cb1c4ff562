// SPDX-License-Identifier: BSD-3-Clause
// The probes, one file each. Each turns the settings into the cases of a sweep over one transport.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "measure/experiment.hpp"
#include "probe/probe_context.hpp"
#include "probe/settings.hpp"

namespace stretto::probe {

using Cases = std::vector<std::unique_ptr<measure::Experiment>>;

[[nodiscard]] Cases latency_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases bandwidth_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases loggp_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases overlap_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases aggregation_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases contention_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases ft_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases spmv_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases collective_cases(const Settings& settings, const ProbeContext& context);

struct Probe {
  std::string_view name;
  Cases (*cases)(const Settings&, const ProbeContext&);
};

/// All probes, in the order of a report.
[[nodiscard]] std::span<const Probe> all_probes();

/// The probe of that name, or null.
[[nodiscard]] const Probe* find_probe(std::string_view name);

/// The requested operations that the transport supports.
[[nodiscard]] std::vector<exchange::Operation> operations_of(const Settings& settings,
                                                             const ProbeContext& context);

}  // namespace stretto::probe
