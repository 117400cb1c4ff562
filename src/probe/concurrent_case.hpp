// SPDX-License-Identifier: BSD-3-Clause
// The three measurements of the probes overlap and contention: communication alone (T_c), computation alone
// (T_w), and both at once (T_t). The probe chooses the amount of each.
#pragma once

#include "probe/computation.hpp"
#include "probe/flow.hpp"
#include "probe/probe_case.hpp"
#include "probe/settings.hpp"

namespace stretto::probe {

struct ConcurrentAxes {
  exchange::ChannelOperation operation = exchange::ChannelOperation::send;
  exchange::ProgressMode progress = exchange::ProgressMode::none;
  ComputingSide side = ComputingSide::both;  ///< which ranks compute
  Direction direction = Direction::one_way;
  std::size_t size_bytes = 0;
  measure::WorkKind kind = measure::WorkKind::registers;
};

class ConcurrentCase : public ProbeCase {
 public:
  /// `more_axes` follow those of `axes`.
  ConcurrentCase(const ProbeContext& context, std::string probe, const ConcurrentAxes& axes,
                 const record::Fields& more_axes = {});

  [[nodiscard]] std::vector<measure::Quantity> quantities() final;

 protected:
  [[nodiscard]] double median_communication_s(measure::Timekeeper& timekeeper);

  /// Reserves memory for the largest number of messages that a step starts. Collective.
  void reserve(int messages) const { flow_.reserve(size_bytes_, messages); }
  void set_messages(int messages) { messages_ = messages; }
  /// Chooses the count of the computation, which takes `duration_s` alone.
  void set_work(double duration_s);

 private:
  void run(measure::StepTimer& timer, bool communicate, bool work);
  [[nodiscard]] std::vector<exchange::Transfer> arrivals(const std::string& quantity) const final;

  Flow flow_;
  std::size_t size_bytes_;
  Computation computation_;
  bool works_;
  int messages_ = 1;
};

}  // namespace stretto::probe
