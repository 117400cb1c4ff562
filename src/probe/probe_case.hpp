// SPDX-License-Identifier: BSD-3-Clause
// The common part of the cases of probes: the axes of every row, and the check of received data.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "measure/experiment.hpp"
#include "probe/probe_context.hpp"

namespace stretto::probe {

/// The number of repetitions, 1 to `most`, after which an action of `once_s` has lasted `shortest_s`.
[[nodiscard]] int repeats(double once_s, double shortest_s, int most);

class ProbeCase : public measure::Experiment {
 public:
  /// `axes` follow the axes transport, operation and progress.
  ProbeCase(const ProbeContext& context, std::string probe, exchange::ChannelOperation operation,
            exchange::ProgressMode progress, record::Fields axes);

  [[nodiscard]] std::string probe() const final { return probe_; }
  [[nodiscard]] record::Fields axes() const final { return axes_; }
  [[nodiscard]] bool may_pause() const final { return true; }
  void fill(std::uint32_t seed) final { context_.transport.fill(seed); }
  [[nodiscard]] std::span<const std::string_view> paths() const final { return context_.transport.paths(); }
  [[nodiscard]] std::vector<measure::PathCount> path_counts() const final {
    return context_.transport.path_counts();
  }
  [[nodiscard]] measure::CheckedTransfers verify(const std::string& quantity, std::uint32_t seed) final;

 protected:
  /// The transfers that have arrived at this rank at the end of a step of `quantity`.
  [[nodiscard]] virtual std::vector<exchange::Transfer> arrivals(const std::string& quantity) const = 0;

  /// Adds an axis with a value that calibration determines.
  void set_axis(const std::string& name, record::Value value) { axes_.emplace_back(name, std::move(value)); }

  const ProbeContext& context_;

 private:
  std::string probe_;
  record::Fields axes_;
};

}  // namespace stretto::probe
