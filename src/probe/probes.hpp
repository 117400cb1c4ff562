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
/// The eager limit of sends, searched up to `largest_bytes`; a part of probe `loggp`.
[[nodiscard]] std::unique_ptr<measure::Experiment> eager_limit_case(const ProbeContext& context,
                                                                    std::size_t largest_bytes);
[[nodiscard]] Cases overlap_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases aggregation_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases contention_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases ft_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases spmv_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases collective_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases nbc_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases neighbourhood_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases persistent_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases partitioned_cases(const Settings& settings, const ProbeContext& context);
[[nodiscard]] Cases pairs_cases(const Settings& settings, const ProbeContext& context);

struct Probe {
  std::string_view name;
  Cases (*cases)(const Settings&, const ProbeContext&);
  bool by_name = false;  ///< runs only where a request names it
  /// A transport that only this probe uses, unless a run asks for it.
  std::string_view own_transport = {};
};

/// All probes, in the order of a report.
[[nodiscard]] std::span<const Probe> all_probes();

/// The probe of that name, or null.
[[nodiscard]] const Probe* find_probe(std::string_view name);

/// Whether a run of the probe uses the transport: any that was requested; else all but those of other probes.
[[nodiscard]] bool uses(const Probe& probe, std::string_view transport, bool requested);

/// The requested operations that the transport supports.
[[nodiscard]] std::vector<exchange::ChannelOperation> operations_of(const Settings& settings,
                                                                    const ProbeContext& context);

}  // namespace stretto::probe
