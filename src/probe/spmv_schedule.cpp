// SPDX-License-Identifier: BSD-3-Clause
#include "probe/spmv_schedule.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace stretto::probe {
namespace {

constexpr std::array<std::string_view, 3> spmv_kinds = {"bulk", "gather", "scatter"};

}  // namespace

std::string_view to_string(SpmvKind kind) { return spmv_kinds[static_cast<std::size_t>(kind)]; }

std::string name_of(const SpmvSchedule& schedule) {
  std::string name{to_string(schedule.kind)};
  if (schedule.kind != SpmvKind::bulk) name += ",prefetch=" + std::to_string(schedule.prefetch);
  return name;
}

bool is_spmv_schedule(std::string_view name) {
  return std::ranges::find(spmv_kinds, name) != spmv_kinds.end();
}

SpmvKind spmv_kind_from(std::string_view name) {
  const auto* const found = std::ranges::find(spmv_kinds, name);
  if (found == spmv_kinds.end()) {
    throw std::invalid_argument("--schedules: '" + std::string{name} +
                                "' is no schedule of spmv: write bulk, gather or scatter");
  }
  return static_cast<SpmvKind>(found - spmv_kinds.begin());
}

}  // namespace stretto::probe
