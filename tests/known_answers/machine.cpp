// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <string>

#include "network/quantity.hpp"

namespace stretto::known_answers {
namespace {

struct Key {
  std::string_view name;
  void (*set)(VirtualMachine& machine, double value);
};

constexpr std::array<Key, 16> keys = {{
    {"L", [](VirtualMachine& machine, double value) { machine.below.latency_s = value; }},
    {"o_s", [](VirtualMachine& machine, double value) { machine.below.overhead_send_s = value; }},
    {"o_r", [](VirtualMachine& machine, double value) { machine.below.overhead_receive_s = value; }},
    {"g", [](VirtualMachine& machine, double value) { machine.below.gap_s = value; }},
    {"g_queue", [](VirtualMachine& machine, double value) { machine.below.gap_queue_s = value; }},
    {"G", [](VirtualMachine& machine, double value) { machine.below.gap_s_per_byte = value; }},
    {"break",
     [](VirtualMachine& machine, double value) { machine.break_bytes = static_cast<std::size_t>(value); }},
    {"overlap", [](VirtualMachine& machine, double value) { machine.overlap = value; }},
    {"steal", [](VirtualMachine& machine, double value) { machine.steal = value; }},
    {"noise", [](VirtualMachine& machine, double value) { machine.noise = value; }},
    {"seed", [](VirtualMachine& machine, double value) { machine.seed = static_cast<std::uint64_t>(value); }},
    {"burst_every", [](VirtualMachine& machine, double value) { machine.bursts.every_s = value; }},
    {"burst_min", [](VirtualMachine& machine, double value) { machine.bursts.shortest_s = value; }},
    {"burst_max", [](VirtualMachine& machine, double value) { machine.bursts.longest_s = value; }},
    {"burst_seen", [](VirtualMachine& machine, double value) { machine.bursts_seen = value > 0; }},
    {"work", [](VirtualMachine& machine, double value) { machine.work_s_per_count = value; }},
}};

constexpr std::array<Key, 5> keys_beyond_break = {{
    {"L2", [](VirtualMachine& machine, double value) { machine.from_break.latency_s = value; }},
    {"o_s2", [](VirtualMachine& machine, double value) { machine.from_break.overhead_send_s = value; }},
    {"o_r2", [](VirtualMachine& machine, double value) { machine.from_break.overhead_receive_s = value; }},
    {"g2", [](VirtualMachine& machine, double value) { machine.from_break.gap_s = value; }},
    {"G2", [](VirtualMachine& machine, double value) { machine.from_break.gap_s_per_byte = value; }},
}};

using Settings = std::map<std::string_view, double>;

double number_of(std::string_view key, std::string_view text) {
  return key == "break" ? network::number_in(text, network::size_units)
                        : network::number_in(text, network::time_units);
}

Settings settings_in(std::string_view spec) {
  Settings settings;
  while (!spec.empty()) {
    const std::string_view piece = spec.substr(0, spec.find(','));
    const std::string_view key = piece.substr(0, piece.find('='));
    const double number = number_of(key, piece.substr(std::min(key.size() + 1, piece.size())));
    if (std::isnan(number)) {
      throw std::invalid_argument(fmt::format("virtual machine: '{}': write KEY=VALUE, as L=5us", piece));
    }
    settings[key] = number;
    spec.remove_prefix(std::min(piece.size() + 1, spec.size()));
  }
  return settings;
}

/// Applies the settings of these keys, and takes them away.
void apply(std::span<const Key> known, Settings& settings, VirtualMachine& machine) {
  for (const Key& key : known) {
    const auto found = settings.find(key.name);
    if (found == settings.end()) continue;
    key.set(machine, found->second);
    settings.erase(found);
  }
}

}  // namespace

VirtualMachine virtual_machine_from(std::string_view spec) {
  VirtualMachine machine;
  Settings settings = settings_in(spec);
  apply(keys, settings, machine);
  machine.from_break = machine.below;
  apply(keys_beyond_break, settings, machine);
  if (!settings.empty()) {
    throw std::invalid_argument(fmt::format("virtual machine: unknown key '{}'", settings.begin()->first));
  }
  return machine;
}

}  // namespace stretto::known_answers
