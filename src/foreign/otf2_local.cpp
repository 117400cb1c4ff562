// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/otf2_local.hpp"

#include <cmath>
#include <filesystem>

#include "foreign/otf2_records.hpp"
#include "foreign/otf2_types.hpp"

namespace stretto::foreign {

Otf2Local::Otf2Local(const Otf2Archive& archive, const Otf2Location& location) {
  const std::filesystem::path file = archive.file_of(location, ".def");
  if (!std::filesystem::exists(file)) return;
  Otf2Records records(file, archive.definition_chunk_bytes(), Otf2Content::definitions);
  while (records.next()) {
    try {
      if (records.type() == otf2::mapping_table) take_mapping(records.body());
      if (records.type() == otf2::clock_offset) take_offset(records.body());
    } catch (const Damaged& error) {
      throw records.at_place(error);
    }
  }
}

void Otf2Local::take_mapping(Otf2Bytes& body) {
  constexpr std::uint8_t dense = 0;
  const std::uint8_t of = body.byte();
  if (of != otf2::of_regions && of != otf2::of_comms) return;
  Map& map = of == otf2::of_regions ? regions_ : comms_;
  const std::uint64_t size = body.number();
  const bool is_dense = body.byte() == dense;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t own = is_dense ? i : body.number();
    map[own] = body.number();
  }
}

void Otf2Local::take_offset(Otf2Bytes& body) {
  Offset next;
  next.at = body.full<std::uint64_t>();
  next.offset = body.number();
  if (!offsets_.empty() && offsets_.back().at >= next.at) throw Damaged("two clock offsets of one time");
  offsets_.push_back(next);
}

/// Between two offsets, the offset changes evenly; before the first and behind the last, it goes on so.
std::uint64_t Otf2Local::corrected(std::uint64_t ticks) {
  constexpr double most = 9e18;
  while (interval_ + 2 < offsets_.size() && ticks > offsets_[interval_ + 1].at) ++interval_;
  const Offset& from = offsets_[interval_];
  const Offset& to = offsets_[interval_ + 1];
  const double slope = static_cast<double>(static_cast<std::int64_t>(to.offset - from.offset)) /
                       static_cast<double>(to.at - from.at);
  const double since =
      ticks >= from.at ? static_cast<double>(ticks - from.at) : -static_cast<double>(from.at - ticks);
  const double change = std::rint(slope * since);
  if (!(std::abs(change) < most)) throw Damaged("a clock that runs too fast");
  return ticks + from.offset + static_cast<std::uint64_t>(static_cast<std::int64_t>(change));
}

}  // namespace stretto::foreign
