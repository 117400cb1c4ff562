// SPDX-License-Identifier: BSD-3-Clause
// Put with a flag: the flag is raised at the target after the data is visible there, and never before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>

namespace stretto {

/// A flag is a std::uint64_t in a region, aligned to 8.
struct Flag {
  std::size_t offset = 0;   ///< in the target's part of the same region
  std::uint64_t value = 1;  ///< what is added to it, or stored
  bool add = true;          ///< a counter of arrivals; false: the value is stored
};

/// Throws as put does; the flag must not overlap the data.
void put_signal(const Region& region, Place place, Source source, Flag flag);
void put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag);

namespace nonblocking {
Handle put_signal(const Region& region, Place place, Source source, Flag flag);
Handle put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag);
}  // namespace nonblocking

/// Waits until the flag at `offset` of this rank's own part is at least `value`, and returns it.
std::uint64_t wait_signal(const Region& region, std::size_t offset, std::uint64_t value);
/// Whether the flag at `offset` is at least `value`. Polls where it is not.
[[nodiscard]] bool test_signal(const Region& region, std::size_t offset, std::uint64_t value);
/// Resets the flag of this rank's own part.
void reset_signal(const Region& region, std::size_t offset, std::uint64_t value = 0);

}  // namespace stretto
