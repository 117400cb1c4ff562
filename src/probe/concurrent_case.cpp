// SPDX-License-Identifier: BSD-3-Clause
#include "probe/concurrent_case.hpp"

namespace stretto::probe {
namespace {

record::Fields fields_of(const ConcurrentAxes& axes, const record::Fields& more_axes) {
  record::Fields fields{{"side", std::string{to_string(axes.side)}},
                        {"direction", std::string{to_string(axes.direction)}},
                        {"size_bytes", static_cast<std::int64_t>(axes.size_bytes)},
                        {"work_kind", std::string{measure::to_string(axes.kind)}}};
  fields.insert(fields.end(), more_axes.begin(), more_axes.end());
  return fields;
}

bool works_at(const Pairing& pairing, ComputingSide side) {
  return (pairing.origin && side != ComputingSide::target) ||
         (pairing.target && side != ComputingSide::origin);
}

}  // namespace

ConcurrentCase::ConcurrentCase(const ProbeContext& context, std::string probe, const ConcurrentAxes& axes,
                               const record::Fields& more_axes)
    : ProbeCase(context, std::move(probe), axes.operation, axes.progress, fields_of(axes, more_axes)),
      flow_(context, axes.operation, axes.direction),
      size_bytes_(axes.size_bytes),
      computation_{.kind = axes.kind, .progress = axes.progress},
      works_(works_at(pairing_of(context.team.rank(), context.team.size()), axes.side)) {}

std::vector<measure::Quantity> ConcurrentCase::quantities() {
  return overlap_quantities(messages_, [this](measure::StepTimer& timer, bool communicate, bool work) {
    run(timer, communicate, work);
  });
}

double ConcurrentCase::median_communication_s(measure::Timekeeper& timekeeper) {
  return timekeeper.median_time_s([this](measure::StepTimer& timer) { run(timer, true, false); });
}

void ConcurrentCase::set_work(double duration_s) {
  computation_.count = context_.rates.count_for(computation_.kind, duration_s);
  set_axis("work_count", static_cast<std::int64_t>(computation_.count));
}

void ConcurrentCase::run(measure::StepTimer& timer, bool communicate, bool work) {
  if (communicate) {
    timer.init([this] {
      flow_.expect_all(size_bytes_, messages_);
      flow_.start_all(size_bytes_, messages_);
    });
  }
  if (work && works_) run_computation(context_, computation_, timer);
  if (communicate) timer.sync([this] { context_.transport.finish(); });
}

std::vector<exchange::Transfer> ConcurrentCase::arrivals(const std::string& quantity) const {
  if (quantity == "T_w") return {};
  return flow_.arrivals(size_bytes_, messages_);
}

}  // namespace stretto::probe
