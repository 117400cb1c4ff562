// SPDX-License-Identifier: BSD-3-Clause
// Signals: flags in a region. put_signal raises one at the target after its data is visible there, and never
// before; raise_signal raises one alone. A rank waits for the flags of its own part. All throw what put
// throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stretto/handle.hpp>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>
#include <vector>

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

/// Raises the flag at rank `target` of the region's team. Completes and is ordered as a put.
void raise_signal(const Region& region, int target, Flag flag);

namespace nonblocking {
Handle put_signal(const Region& region, Place place, Source source, Flag flag);
Handle put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag);
Handle raise_signal(const Region& region, int target, Flag flag);
}  // namespace nonblocking

/// Waits until the flag at `offset` of this rank's own part is at least `value`, and returns it.
std::uint64_t wait_signal(const Region& region, std::size_t offset, std::uint64_t value);
/// Whether the flag at `offset` is at least `value`. Polls where it is not.
[[nodiscard]] bool test_signal(const Region& region, std::size_t offset, std::uint64_t value);
enum class Comparison { equal, not_equal, greater, greater_equal, less, less_equal };

/// That the flag at `offset` of this rank's own part compares so with `value`.
struct SignalCondition {
  std::size_t offset = 0;
  std::uint64_t value = 1;
  Comparison comparison = Comparison::greater_equal;
};

/// Waits until the condition holds, and returns the value that fulfilled it.
std::uint64_t wait_signal(const Region& region, const SignalCondition& condition);
/// Whether it holds. Polls where it does not.
[[nodiscard]] bool test_signal(const Region& region, const SignalCondition& condition);

// Of several conditions. None is an ArgumentError `conditions`.
/// Waits until one holds, and returns its index: the lowest of those that do.
[[nodiscard]] std::size_t wait_any_signal(const Region& region, std::span<const SignalCondition> conditions);
/// Waits until one holds, and returns the indices of all that do.
[[nodiscard]] std::vector<std::size_t> wait_some_signals(const Region& region,
                                                         std::span<const SignalCondition> conditions);
/// Waits until each has held once.
void wait_all_signals(const Region& region, std::span<const SignalCondition> conditions);
/// The lowest index of those that hold, if any does. Polls where none does.
[[nodiscard]] std::optional<std::size_t> test_any_signal(const Region& region,
                                                         std::span<const SignalCondition> conditions);

/// Resets the flag of this rank's own part.
void reset_signal(const Region& region, std::size_t offset, std::uint64_t value = 0);

}  // namespace stretto
