// SPDX-License-Identifier: BSD-3-Clause
// The schedules of the probes FT and SPMV as options name them, and what a problem must fulfil.
#pragma once

#include <string_view>

#include "network/probe_steps.hpp"

namespace stretto::probe {

using network::FtKind;
using network::FtPiece;
using network::FtProblem;
using network::FtSchedule;
using network::SpmvKind;
using network::SpmvProblem;
using network::SpmvSchedule;

/// Throws std::invalid_argument where the ranks or the planes do not divide the rows. The message names the
/// option and a valid value.
void require_divisible(const FtProblem& problem);

/// Whether `name` begins like a schedule of FT, so that ft_schedule_from() can read it or report what is
/// wrong.
[[nodiscard]] bool is_ft_schedule(std::string_view name);
/// Throws std::invalid_argument for an unknown schedule.
[[nodiscard]] FtSchedule ft_schedule_from(std::string_view name);

/// X, the number of pieces of a rank's rows. Throws std::invalid_argument unless X is a multiple of the
/// ranks and divides N R.
[[nodiscard]] std::size_t chunks_of(const FtSchedule& schedule, const FtProblem& problem);

[[nodiscard]] bool is_spmv_schedule(std::string_view name);
/// Reads `bulk`, `gather` or `scatter`; throws std::invalid_argument for other names.
[[nodiscard]] SpmvKind spmv_kind_from(std::string_view name);

}  // namespace stretto::probe
