// SPDX-License-Identifier: BSD-3-Clause
#include "armci/environment.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>

#include "armci/boundary.hpp"
#include "mpi/plain_numbers.hpp"

namespace stretto::armci {
namespace {

/// One variable: its name, the values that it may have, and a function that reads one, or returns false.
struct Variable {
  const char* name;
  const char* allowed;
  bool (*take)(const std::string& value, Settings& settings);
};

std::optional<double> number(const std::string& text) {
  const std::optional<double> value = mpi::plain_number(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

template <typename T>
bool read_whole(const std::string& text, T& into) {
  const std::optional<double> value = number(text);
  if (!value || *value != std::floor(*value) || *value > std::numeric_limits<int>::max()) return false;
  into = static_cast<T>(*value);
  return true;
}

// The functions take one value each, into a member of the options.

template <auto member>
bool take_whole(const std::string& text, Settings& settings) {
  return read_whole(text, settings.options.*member);
}

template <double Options::*member>
bool take_seconds(const std::string& text, Settings& settings) {
  const std::optional<double> value = number(text);
  if (value) settings.options.*member = *value;
  return value.has_value();
}

template <auto member, const auto& words>
bool take_word(const std::string& text, Settings& settings) {
  for (const auto word : words) {
    if (text != to_string(word)) continue;
    settings.options.*member = word;
    return true;
  }
  return false;
}

constexpr std::array modes{Progress::none, Progress::poll, Progress::thread};
constexpr std::array paths{Path::direct, Path::rma, Path::message};
constexpr std::array remote_paths{Path::rma, Path::message};

constexpr std::array<Variable, 11> variables{{
    {"STRETTO_PROGRESS", "none, poll or thread", take_word<&Options::progress, modes>},
    {"STRETTO_PATH", "direct, rma or message", take_word<&Options::path, paths>},
    {"STRETTO_CONTIGUOUS", "rma or message", take_word<&Options::contiguous, remote_paths>},
    {"STRETTO_POLL_INTERVAL_S", "a number of seconds above 0", take_seconds<&Options::poll_interval_s>},
    {"STRETTO_SEGMENT_BYTES", "a whole number of bytes", take_whole<&Options::segment_bytes>},
    {"STRETTO_OUTSTANDING", "a whole number", take_whole<&Options::outstanding>},
    {"STRETTO_CONTEXTS", "a whole number from 1 to 64", take_whole<&Options::contexts>},
    {"STRETTO_NODE_RANKS", "a whole number, 0 for as many as there are", take_whole<&Options::node_ranks>},
    {"STRETTO_REPORT_AFTER_S", "a number of seconds, 0 for never", take_seconds<&Options::report_after_s>},
    {"STRETTO_TIMEOUT_S", "a number of seconds, 0 for never", take_seconds<&Options::timeout_s>},
    {"STRETTO_HEAP_BYTES", "a whole number of bytes",
     [](const std::string& text, Settings& settings) { return read_whole(text, settings.heap_bytes); }},
}};

}  // namespace

std::string settings_in_environment() {
  std::string lines;
  for (const Variable& variable : variables) {
    const char* value = std::getenv(variable.name);
    if (value != nullptr) lines += std::string(variable.name) + "=" + value + "\n";
  }
  return lines;
}

Settings parse_settings(const std::string& lines) {
  Settings settings;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    const std::size_t equals = line.find('=');
    for (const Variable& variable : variables) {
      if (line.substr(0, equals) != variable.name) continue;
      const std::string value = line.substr(equals + 1);
      if (variable.take(value, settings)) continue;
      throw Refused(FAIL6, std::string(variable.name) + "=" + value + ": must be " + variable.allowed);
    }
  }
  return settings;
}

}  // namespace stretto::armci
