// SPDX-License-Identifier: BSD-3-Clause
#include "network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "network/quantity.hpp"

namespace stretto::network {
namespace {

constexpr double longest_s = 1e6;
constexpr double slowest_s_per_byte = 1;
constexpr double largest_bytes = 9007199254740992;  // 2^53: doubles are exact up to here

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("--loggp: " + what); }

double time_in(std::string_view key, std::string_view text, double most, std::string_view what) {
  const double number = number_in(text, time_units);
  if (number >= 0 && number <= most) return number;  // false for NaN, too
  refuse(fmt::format("{}={}: give {}, such as {}=1us or {}=1e-6", key, text, what, key, key));
}

std::uint64_t size_in(std::string_view key, std::string_view text) {
  const double number = number_in(text, size_units);
  if (number >= 0 && number <= largest_bytes && number == std::floor(number)) {
    return static_cast<std::uint64_t>(number);
  }
  refuse(fmt::format("{}={}: give a whole number of bytes, such as {}=64KiB", key, text, key));
}

std::uint32_t ranks_in(std::string_view key, std::string_view text) {
  constexpr double most = 1U << 24U;
  const double number = number_in(text, std::array<Unit, 1>{{{"", 1}}});
  if (number >= 1 && number <= most && number == std::floor(number))
    return static_cast<std::uint32_t>(number);
  refuse(fmt::format("{}={}: give a number of ranks, such as {}=4", key, text, key));
}

/// Returns the text before the first `separator`; `rest` becomes the text after it, `more` whether there
/// was one.
std::string_view cut(std::string_view& rest, char separator, bool& more) {
  const std::size_t at = rest.find(separator);
  const std::string_view piece = rest.substr(0, at);
  more = at != std::string_view::npos;
  rest.remove_prefix(more ? at + 1 : rest.size());
  return piece;
}

class SpecReader {
 public:
  Network read(std::string_view spec) {
    for (bool more = true; more;) {
      read_range(cut(spec, ';', more));
      first_ = false;
    }
    return network_;
  }

 private:
  void read_range(std::string_view text) {
    seen_.clear();
    if (!first_) network_.ranges.push_back(network_.ranges.back());
    for (bool more = true; more;) {
      std::string_view value = cut(text, ',', more);
      bool has_value = false;
      const std::string_view key = cut(value, '=', has_value);
      if (!has_value) refuse(fmt::format("'{}': write KEY=VALUE, such as L=1us", key));
      if (std::ranges::find(seen_, key) != seen_.end()) {
        refuse(fmt::format("{} is given twice: keep one", key));
      }
      seen_.push_back(key);
      set(key, value);
    }
    check_range();
  }

  void set(std::string_view key, std::string_view value) {
    LogGp& loggp = network_.ranges.back().loggp;
    constexpr std::string_view a_time = "a time of 0 s to 1e6 s";
    constexpr std::string_view per_byte = "a time a byte of 0 s to 1 s";
    if (key == "L") {
      loggp.latency_s = time_in(key, value, longest_s, a_time);
    } else if (key == "o") {
      loggp.overhead_send_s = loggp.overhead_receive_s = time_in(key, value, longest_s, a_time);
    } else if (key == "o_s") {
      loggp.overhead_send_s = time_in(key, value, longest_s, a_time);
    } else if (key == "o_r") {
      loggp.overhead_receive_s = time_in(key, value, longest_s, a_time);
    } else if (key == "g") {
      loggp.gap_s = time_in(key, value, longest_s, a_time);
    } else if (key == "G") {
      loggp.gap_s_per_byte = time_in(key, value, slowest_s_per_byte, per_byte);
    } else if (first_ && key == "O") {
      network_.overhead_s_per_byte = time_in(key, value, slowest_s_per_byte, per_byte);
    } else if (first_ && key == "S") {
      network_.eager_bytes = size_in(key, value);
    } else if (first_ && key == "B") {
      network_.buffer_bytes = size_in(key, value);
    } else if (first_ && key == "node") {
      network_.node_ranks = ranks_in(key, value);
    } else if (first_ && key == "L_node") {
      network_.node_latency_s = time_in(key, value, longest_s, a_time);
    } else if (!first_ && (key == "from" || key == "at")) {
      network_.ranges.back().from_bytes = size_in(key, value);
      network_.ranges.back().measured = key == "at";
    } else if (key == "O" || key == "S" || key == "B" || key == "node" || key == "L_node" || key == "from" ||
               key == "at") {
      refuse(fmt::format("{} is for {}: put it there", key, first_ ? "later ranges" : "the first range"));
    } else {
      refuse(fmt::format("unknown key '{}': the keys are L, o, o_s, o_r, g, G, O, S, B, node, L_node", key));
    }
  }

  void check_range() {
    const auto has = [this](std::string_view key) { return std::ranges::find(seen_, key) != seen_.end(); };
    if (has("o") && (has("o_s") || has("o_r"))) refuse("o stands for both o_s and o_r: give it or those");
    if (has("node") != has("L_node")) {
      refuse("node=RANKS and L_node=LATENCY belong together: give both or none");
    }
    if (first_) return;
    if (has("from") == has("at")) {
      refuse("a range after ';' begins with from=SIZE, a measured size with at=SIZE: say where");
    }
    const std::size_t last = network_.ranges.size() - 1;
    if (network_.ranges[last].from_bytes <= network_.ranges[last - 1].from_bytes) {
      refuse("from= and at= have to grow from range to range");
    }
  }

  Network network_;
  std::vector<std::string_view> seen_;  // keys of the current range
  bool first_ = true;
};

}  // namespace

Network network_from(std::string_view spec) { return SpecReader().read(spec); }

std::string network_text(const Network& network) {
  std::string text;
  for (const NetworkRange& range : network.ranges) {
    if (!text.empty()) text += fmt::format(";{}={},", range.measured ? "at" : "from", range.from_bytes);
    const LogGp& loggp = range.loggp;
    text += fmt::format("L={},o_s={},o_r={},g={},G={}", loggp.latency_s, loggp.overhead_send_s,
                        loggp.overhead_receive_s, loggp.gap_s, loggp.gap_s_per_byte);
    const bool limited = static_cast<double>(network.eager_bytes) <= largest_bytes;
    if (&range != &network.ranges.front()) continue;
    if (limited) text += fmt::format(",S={}", network.eager_bytes);
    if (network.buffer_bytes != 0) text += fmt::format(",B={}", network.buffer_bytes);
  }
  return text;
}

void set_progress(Network& network, std::string_view model) {
  constexpr std::string_view with_period = "thread=";
  if (model == "offload") {
    network.progress = ProgressModel::offload;
  } else if (model == "eager-only") {
    network.progress = ProgressModel::eager_only;
  } else if (model == "inside-calls") {
    network.progress = ProgressModel::inside_calls;
  } else if (model.starts_with(with_period)) {
    network.progress = ProgressModel::thread;
    network.period_s = number_in(model.substr(with_period.size()), time_units);
    if (std::isnan(network.period_s) || network.period_s <= 0 || network.period_s > longest_s) {
      throw std::invalid_argument(
          fmt::format("--progress-model {}: give a period, such as thread=1ms", model));
    }
  } else {
    throw std::invalid_argument(fmt::format(
        "--progress-model {}: choose from offload, eager-only, inside-calls, thread=PERIOD", model));
  }
  if (network.progress != ProgressModel::offload && network.eager_bytes > largest_bytes) {
    throw std::invalid_argument(
        fmt::format("--progress-model {}: say up to which size messages are eager, such as S=64KiB", model));
  }
}

std::string progress_text(const Network& network) {
  switch (network.progress) {
    case ProgressModel::eager_only:
      return "eager-only";
    case ProgressModel::inside_calls:
      return "inside-calls";
    case ProgressModel::thread:
      return fmt::format("thread={:g}", network.period_s);
    case ProgressModel::offload:
      break;
  }
  return "offload";
}

}  // namespace stretto::network
