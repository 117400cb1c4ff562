// SPDX-License-Identifier: BSD-3-Clause
// The common part of the cases of FT and SPMV: one problem over one transport. Its quantities are
// schedules, so that every round contains all of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "measure/experiment.hpp"
#include "probe/injection_queue.hpp"
#include "probe/probe_context.hpp"
#include "probe/settings.hpp"

namespace stretto::probe {

/// Whether the schedules of ft and spmv can use the transport: a rank hands over what it has computed, for
/// which gets are not enough.
[[nodiscard]] inline bool hands_over(const exchange::Channel& transport) {
  return transport.supports(exchange::ChannelOperation::put) ||
         transport.supports(exchange::ChannelOperation::send);
}

class ScheduleCase : public measure::Experiment {
 public:
  [[nodiscard]] std::string probe() const final { return probe_; }
  [[nodiscard]] record::Fields axes() const final { return axes_; }

 protected:
  ScheduleCase(const ProbeContext& context, std::string probe, exchange::ProgressMode progress,
               const Settings& settings)
      : context_(context),
        progress_(progress),
        real_(context.worker.real() || settings.harness.check),
        check_(settings.harness.check),
        queue_(context.team, settings.gap_queue_s),
        probe_(std::move(probe)),
        axes_{{"transport", std::string{context.transport.name()}},
              {"progress", std::string{to_string(progress)}}} {}

  void set_axis(const std::string& name, record::Value value) { axes_.emplace_back(name, std::move(value)); }

  /// Runs a computation that takes `peak_flops` of a core at its peak; with `poll` it polls the transport
  /// afterwards.
  template <typename Body>
  void compute(measure::StepTimer& timer, double record::Segments::*segment, double peak_flops, Body&& body) {
    timer.lap(segment, [&] {
      context_.worker.compute(peak_flops, [&] {
        if (real_) body();
      });
    });
    if (progress_ == exchange::ProgressMode::poll) timer.sync([this] { context_.transport.poll(); });
  }

  /// Whether the data received by `transfer` equals what the transport filled its memory with. It serves
  /// where the probe has no memory to compute in.
  [[nodiscard]] bool arrived(const exchange::Transfer& transfer, std::uint32_t seed) const {
    return context_.transport.arrived(transfer, seed);
  }

  /// Starts a transfer on the active side as soon as the injection queue accepts it.
  exchange::Ticket start(const exchange::Transfer& transfer) {
    queue_.pass();
    return context_.transport.start(transfer);
  }

  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(context_.team.rank()); }
  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(context_.team.size()); }

  const ProbeContext& context_;
  exchange::ProgressMode progress_;
  bool real_;  ///< whether computations run; otherwise only their time passes
  bool check_;

 private:
  InjectionQueue queue_;
  std::string probe_;
  record::Fields axes_;
};

}  // namespace stretto::probe
