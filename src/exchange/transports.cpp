// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/transports.hpp"

#include <stretto/error.hpp>

namespace stretto {

std::string_view to_string(Transport transport) {
  return std::ranges::find(exchange::transports, transport, &exchange::TransportEntry::transport)->name;
}

Transport transport_from(std::string_view name) {
  std::string choices;
  for (const exchange::TransportEntry& one : exchange::transports) {
    if (!one.transport) continue;
    if (one.name == name) return *one.transport;
    choices += (choices.empty() ? "" : ", ") + std::string(one.name);
  }
  throw ArgumentError("transport", "unknown '" + std::string(name) + "'; choose from " + choices);
}

namespace exchange {

std::vector<std::string> probe_transports() {
  std::vector<std::string> names;
  for (const TransportEntry& one : transports) {
    if (one.add_channels != nullptr) names.emplace_back(one.name);
  }
  return names;
}

void add_channels(std::string_view name, const ChannelRequest& request, Channels& channels) {
  std::ranges::find(transports, name, &TransportEntry::name)->add_channels(request, channels);
}

std::shared_ptr<BufferArena> make_arena(Transport transport, const Team& team, Runtime& runtime,
                                        std::size_t memory_bytes, std::size_t flags) {
  const auto* entry = std::ranges::find(transports, transport, &TransportEntry::transport);
  return entry->make_arena({.team = team, .runtime = runtime, .memory_bytes = memory_bytes, .flags = flags});
}

std::unique_ptr<Exchange> make_exchange(Transport transport, Runtime& runtime, const Team& team,
                                        const ExchangeShape& shape, std::vector<ReceivePattern> patterns) {
  const auto flags = static_cast<std::size_t>(shape.groups) + static_cast<std::size_t>(team.size());
  return make_arena(transport, team, runtime, shape.buffer_bytes, flags)
      ->exchange(team, shape, std::move(patterns));
}

}  // namespace exchange
}  // namespace stretto
