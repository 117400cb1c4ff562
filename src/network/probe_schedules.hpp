// SPDX-License-Identifier: BSD-3-Clause
// The schedules of the probes FT and SPMV as graphs: Algorithms 3 to 8 of the architectural probes' paper.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "network/path_costs.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network {

/// A size or name that makes no schedule: the parameter, and what is wrong with it.
class InvalidParameter : public std::invalid_argument {
 public:
  InvalidParameter(std::string parameter, const std::string& what)
      : std::invalid_argument(what), parameter_(std::move(parameter)) {}
  [[nodiscard]] const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

struct FtProblem {
  std::int64_t ranks = 2;      ///< P
  std::int64_t rows = 2;       ///< N, a rank's rows; each is one part of the computation
  std::int64_t row_bytes = 0;  ///< 16 R
};

/// `exchange`, `slabs`, `pencils`, or `chunks` with X of them (section 5.1): a piece leaves when the rows
/// that it touches are computed. `chunks` is also that of slabs, plane by plane. `operation`: put, or send
/// where both sides take part. Throws InvalidParameter: `ranks`, `rows`, `schedule` or `chunks`.
[[nodiscard]] ScheduleGraph ft_schedule(const std::string& schedule, const FtProblem& problem,
                                        std::optional<std::int64_t> chunks, TransferOperation operation);

/// `bulk`, `gather` or `scatter` with a prefetch depth, the paper's eta: 0 and 1 are the same run, P - 1
/// starts everything at once; `bulk` has none. The computation is P parts, the diagonal block first. Scatter
/// starts signalling puts, the others gets; everything is a send where both sides take part. Throws
/// InvalidParameter: `ranks`, `schedule` or `prefetch`.
[[nodiscard]] ScheduleGraph spmv_schedule(const std::string& schedule, std::int64_t ranks,
                                          std::uint64_t block_bytes, std::int64_t prefetch, bool two_sided);

/// The paper's equations where they hold: `total`, and for FT `init`, `init_eq6` and `wait`; empty elsewhere.
/// FT: pieces of whole rows, computed and put one after the other (eq. 6-8). SPMV: a gather of the least
/// prefetch (eq. 13).
[[nodiscard]] std::map<std::string, double> closed_form(const ScheduleGraph& schedule, const PathCosts& costs,
                                                        double work_s);

}  // namespace stretto::network
