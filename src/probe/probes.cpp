// SPDX-License-Identifier: BSD-3-Clause
#include "probe/probes.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace stretto::probe {
namespace {

constexpr std::array<Probe, 14> probes = {{{"latency", latency_cases},
                                           {"bandwidth", bandwidth_cases},
                                           {"loggp", loggp_cases},
                                           {"overlap", overlap_cases},
                                           {"aggregation", aggregation_cases},
                                           {"contention", contention_cases},
                                           {"ft", ft_cases},
                                           {"spmv", spmv_cases},
                                           {"collective", collective_cases},
                                           {"nbc", nbc_cases, true},
                                           {"neighbourhood", neighbourhood_cases, true},
                                           {"persistent", persistent_cases, true, "mpi-persistent"},
                                           {"partitioned", partitioned_cases, true, "mpi-partitioned"},
                                           {"pairs", pairs_cases, true}}};

}  // namespace

std::span<const Probe> all_probes() { return probes; }

const Probe* find_probe(std::string_view name) {
  const auto found = std::ranges::find(probes, name, &Probe::name);
  return found == probes.end() ? nullptr : &*found;
}

bool uses(const Probe& probe, std::string_view transport, bool requested) {
  if (requested || probe.own_transport == transport) return true;
  return std::ranges::find(probes, transport, &Probe::own_transport) == probes.end();
}

std::vector<exchange::ChannelOperation> operations_of(const Settings& settings, const ProbeContext& context) {
  std::vector<exchange::ChannelOperation> operations;
  std::ranges::copy_if(
      settings.operations, std::back_inserter(operations),
      [&](exchange::ChannelOperation operation) { return context.transport.supports(operation); });
  return operations;
}

}  // namespace stretto::probe
