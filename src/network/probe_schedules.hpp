// SPDX-License-Identifier: BSD-3-Clause
// The schedules of the probes FT and SPMV as graphs: Algorithms 3 to 8 of the architectural probes' paper.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "network/path_costs.hpp"
#include "network/probe_steps.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network {

/// An invalid parameter of a schedule: its name, and the error.
class InvalidParameter : public std::invalid_argument {
 public:
  InvalidParameter(std::string parameter, const std::string& what)
      : std::invalid_argument(what), parameter_(std::move(parameter)) {}
  [[nodiscard]] const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

/// `exchange`, `slabs`, `pencils`, or `chunks` with X of them (section 5.1): a piece leaves when the rows
/// that it touches are computed. `chunks` also gives the pieces of slabs by plane. `operation`: put, or
/// send for two-sided transfers. Throws InvalidParameter: `ranks`, `rows`, `schedule` or `chunks`.
[[nodiscard]] ScheduleGraph ft_schedule(const std::string& schedule, const FtProblem& problem,
                                        std::optional<std::int64_t> chunks, TransferOperation operation);

/// `bulk`, `gather` or `scatter` with a prefetch depth, the paper's eta. Depths 0 and 1 are the same run,
/// and P - 1 starts all transfers at once; `bulk` has none. The computation has P parts, the diagonal block
/// first. Scatter uses signalling puts, the others gets; two-sided schedules use sends. Throws
/// InvalidParameter: `ranks`, `schedule` or `prefetch`.
[[nodiscard]] ScheduleGraph spmv_schedule(const std::string& schedule, std::int64_t ranks,
                                          std::uint64_t block_bytes, std::int64_t prefetch, bool two_sided);

/// The paper's equations where they hold: `total`, and for FT `init`, `init_eq6` and `wait`; empty
/// elsewhere. They hold for FT with pieces of whole rows, each computed and then put (eq. 6-8), and for
/// SPMV's gather with the smallest prefetch (eq. 13).
[[nodiscard]] std::map<std::string, double> closed_form(const ScheduleGraph& schedule, const PathCosts& costs,
                                                        double work_s);

}  // namespace stretto::network
