// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace stretto::known_answers {
namespace {

enum class Quantity { time, fraction, size, seed };

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 5> time_units = {
    {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}}};
constexpr std::array<Unit, 4> size_units = {
    {{"B", 1}, {"KiB", 1024}, {"MiB", 1024.0 * 1024}, {"GiB", 1024.0 * 1024 * 1024}}};

constexpr double largest_time_s = 1e6;
constexpr double largest_size_bytes = 1e15;

using Parameter = double network::LogGp::*;

struct Key {
  std::string_view name;
  Quantity quantity;
  Parameter parameter = nullptr;  // if the key is a parameter of a size range
  bool beyond_break = false;
};

using network::LogGp;
constexpr std::array<Key, 21> keys = {{
    {"L", Quantity::time, &LogGp::latency_s},
    {"o_s", Quantity::time, &LogGp::overhead_send_s},
    {"o_r", Quantity::time, &LogGp::overhead_receive_s},
    {"g", Quantity::time, &LogGp::gap_s},
    {"g_queue", Quantity::time, &LogGp::gap_queue_s},
    {"G", Quantity::time, &LogGp::gap_s_per_byte},
    {"break", Quantity::size},
    {"L2", Quantity::time, &LogGp::latency_s, true},
    {"o_s2", Quantity::time, &LogGp::overhead_send_s, true},
    {"o_r2", Quantity::time, &LogGp::overhead_receive_s, true},
    {"g2", Quantity::time, &LogGp::gap_s, true},
    {"G2", Quantity::time, &LogGp::gap_s_per_byte, true},
    {"overlap", Quantity::fraction},
    {"steal", Quantity::fraction},
    {"noise", Quantity::fraction},
    {"seed", Quantity::seed},
    {"burst_every", Quantity::time},
    {"burst_min", Quantity::time},
    {"burst_max", Quantity::time},
    {"burst_seen", Quantity::fraction},
    {"work", Quantity::time},
}};

struct Setting {
  const Key* key = nullptr;
  double number = 0;
  std::uint64_t seed = 0;
};

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("virtual machine: " + what); }

std::string_view example_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::time:
      return "5us";
    case Quantity::fraction:
      return "0.5";
    case Quantity::size:
      return "64KiB";
    case Quantity::seed:
      return "1";
  }
  return "";
}

/// Reads `text` as a number and one of `units`; without a unit the first one applies.
template <std::size_t count>
std::optional<double> number_with(std::string_view text, const std::array<Unit, count>& units) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view suffix = text.substr(static_cast<std::size_t>(rest - text.data()));
  if (suffix.empty()) return number;
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.name == suffix; });
  if (unit == units.end()) return std::nullopt;
  return number * unit->factor;
}

double checked(const Key& key, std::string_view text, std::optional<double> number, double least, double most,
               std::string_view demand) {
  // The comparison is false for NaN, too.
  if (number && *number >= least && *number <= most) return *number;
  refuse(fmt::format("{}={}: give {}, such as {}={}", key.name, text, demand, key.name,
                     example_of(key.quantity)));
}

Setting read(const Key& key, std::string_view text) {
  static constexpr std::array<Unit, 1> no_unit = {{{"", 1}}};
  Setting setting{.key = &key};
  switch (key.quantity) {
    case Quantity::time:
      setting.number = checked(key, text, number_with(text, time_units), 0, largest_time_s,
                               "a time of 0 s to 1e6 s in s, ms, us, ns or ps");
      break;
    case Quantity::fraction:
      setting.number = checked(key, text, number_with(text, no_unit), 0, 1, "a number from 0 to 1");
      break;
    case Quantity::size: {
      const auto bytes = number_with(text, size_units);
      const bool whole = bytes && *bytes == std::floor(*bytes);
      setting.number = checked(key, text, whole ? bytes : std::nullopt, 1, largest_size_bytes,
                               "a whole number of bytes from 1 on in B, KiB, MiB or GiB");
      break;
    }
    case Quantity::seed: {
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), setting.seed);
      const bool whole = error == std::errc{} && rest == text.data() + text.size();
      (void)checked(key, text, whole ? std::optional{0.0} : std::nullopt, 0, 0,
                    "a whole number from 0 to 2^64 - 1");
      break;
    }
  }
  return setting;
}

const Key* key_named(std::string_view name) {
  for (const Key& key : keys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

Setting read_piece(std::string_view piece) {
  const std::size_t equals = piece.find('=');
  const std::string_view name = piece.substr(0, equals);
  const Key* const key = key_named(name);
  if (key == nullptr) {
    refuse(fmt::format(
        "unknown key '{}': the keys are L, o_s, o_r, g, g_queue, G, break, L2, o_s2, o_r2, g2, G2, "
        "overlap, steal, noise, seed, burst_every, burst_min, burst_max, burst_seen, work",
        name));
  }
  if (equals == std::string_view::npos) {
    refuse(fmt::format("'{}' has no value: write {}={}", piece, name, example_of(key->quantity)));
  }
  return read(*key, piece.substr(equals + 1));
}

std::vector<Setting> read_all(std::string_view spec) {
  std::vector<Setting> settings;
  while (!spec.empty()) {
    const std::size_t comma = spec.find(',');
    const std::string_view piece = spec.substr(0, comma);
    if (piece.empty()) refuse("two commas with nothing between: take one away");
    const Setting setting = read_piece(piece);
    for (const Setting& other : settings) {
      if (other.key == setting.key) refuse(fmt::format("{} is given twice: keep one", setting.key->name));
    }
    settings.push_back(setting);
    if (comma == std::string_view::npos) break;
    spec.remove_prefix(comma + 1);
    if (spec.empty()) refuse("ends with a comma: take it away");
  }
  return settings;
}

void apply_plain(VirtualMachine& machine, const Setting& setting) {
  const std::string_view name = setting.key->name;
  if (name == "break") machine.break_bytes = static_cast<std::size_t>(setting.number);
  if (name == "overlap") machine.overlap = setting.number;
  if (name == "steal") machine.steal = setting.number;
  if (name == "noise") machine.noise = setting.number;
  if (name == "seed") machine.seed = setting.seed;
  if (name == "burst_every") machine.bursts.every_s = setting.number;
  if (name == "burst_min") machine.bursts.shortest_s = setting.number;
  if (name == "burst_max") machine.bursts.longest_s = setting.number;
  if (name == "burst_seen") machine.bursts_seen = setting.number > 0;
  if (name == "work") machine.work_s_per_count = setting.number;
}

}  // namespace

VirtualMachine virtual_machine_from(std::string_view spec) {
  VirtualMachine machine;
  const std::vector<Setting> settings = read_all(spec);
  for (const Setting& setting : settings) {
    if (setting.key->parameter == nullptr) {
      apply_plain(machine, setting);
    } else if (!setting.key->beyond_break) {
      machine.below.*setting.key->parameter = setting.number;
    }
  }
  if (machine.bursts.shortest_s <= 0 || machine.bursts.longest_s < machine.bursts.shortest_s) {
    refuse("burst_min must be above 0, and burst_max not below it: give burst_min=1ms,burst_max=300ms");
  }
  machine.from_break = machine.below;
  for (const Setting& setting : settings) {
    if (!setting.key->beyond_break) continue;
    if (machine.break_bytes == VirtualMachine{}.break_bytes) {
      refuse(
          fmt::format("{} holds from the break on: add the break, such as break=64KiB", setting.key->name));
    }
    machine.from_break.*setting.key->parameter = setting.number;
  }
  return machine;
}

}  // namespace stretto::known_answers
