// SPDX-License-Identifier: BSD-3-Clause
// What the cases of FT and SPMV share: one problem over one transport; its quantities are schedules, so
// that a round holds all of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "measure/experiment.hpp"
#include "probe/bench.hpp"
#include "probe/injection_queue.hpp"
#include "probe/settings.hpp"

namespace stretto::probe {

class ScheduleCase : public measure::Experiment {
 public:
  [[nodiscard]] std::string probe() const final { return probe_; }
  [[nodiscard]] record::Fields axes() const final { return axes_; }

 protected:
  ScheduleCase(const Bench& bench, std::string probe, exchange::ProgressMode progress,
               const Settings& settings)
      : bench_(bench),
        progress_(progress),
        real_(bench.worker.real() || settings.harness.check),
        check_(settings.harness.check),
        queue_(bench.team, settings.gap_queue_s),
        probe_(std::move(probe)),
        axes_{{"transport", std::string{bench.transport.name()}},
              {"progress", std::string{to_string(progress)}}} {}

  void set_axis(const std::string& name, record::Value value) { axes_.emplace_back(name, std::move(value)); }

  /// A computation that a core at its peak does in `peak_flops`; `poll` tests calls the transport afterwards.
  template <typename Body>
  void compute(measure::Stage& stage, double record::Segments::*segment, double peak_flops, Body&& body) {
    stage.lap(segment, [&] {
      bench_.worker.compute(peak_flops, [&] {
        if (real_) body();
      });
    });
    if (progress_ == exchange::ProgressMode::poll) stage.sync([this] { bench_.transport.poll(); });
  }

  /// Whether what arrived at this rank by `transfer` is what the transport filled its memory with: where
  /// there is no memory to compute in.
  [[nodiscard]] bool arrived(const exchange::Transfer& transfer, std::uint32_t seed) const {
    return bench_.transport.arrived(transfer, seed);
  }

  /// What the active side does, once the injection queue lets it.
  exchange::Ticket start(const exchange::Transfer& transfer) {
    queue_.pass();
    return bench_.transport.start(transfer);
  }

  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(bench_.team.rank()); }
  [[nodiscard]] std::size_t ranks() const { return static_cast<std::size_t>(bench_.team.size()); }

  const Bench& bench_;
  exchange::ProgressMode progress_;
  bool real_;  ///< whether computations are done, and not only their time passes
  bool check_;

 private:
  InjectionQueue queue_;
  std::string probe_;
  record::Fields axes_;
};

}  // namespace stretto::probe
