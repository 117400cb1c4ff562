// SPDX-License-Identifier: BSD-3-Clause
// The names of schedules.
#include <charconv>
#include <stretto/error.hpp>
#include <stretto/fft.hpp>

namespace stretto::fft {

Schedule schedule_from(std::string_view text) {
  if (text == "packed-slabs") return {.shape = Schedule::Shape::packed_slabs};
  if (text == "slabs") return {.shape = Schedule::Shape::slabs};
  if (text == "pencils") return {.shape = Schedule::Shape::pencils};
  constexpr std::string_view prefix = "chunks=";
  if (text.starts_with(prefix)) {
    Schedule schedule{.shape = Schedule::Shape::chunks};
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data() + prefix.size(), end, schedule.chunks);
    if (error == std::errc{} && stopped == end && schedule.chunks > 0) return schedule;
  }
  throw ArgumentError("schedule", "unknown '" + std::string(text) +
                                      "'; choose from packed-slabs, slabs, pencils, chunks=X (X from 1 on)");
}

std::string to_string(const Schedule& schedule) {
  switch (schedule.shape) {
    case Schedule::Shape::packed_slabs:
      return "packed-slabs";
    case Schedule::Shape::slabs:
      return "slabs";
    case Schedule::Shape::pencils:
      return "pencils";
    case Schedule::Shape::chunks:
      break;
  }
  return "chunks=" + std::to_string(schedule.chunks);
}

}  // namespace stretto::fft
