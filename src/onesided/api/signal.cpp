// SPDX-License-Identifier: BSD-3-Clause
// Puts that raise a flag, and the waits for flags of this rank's own part of a region.
#include <algorithm>
#include <stretto/error.hpp>
#include <stretto/signal.hpp>
#include <utility>

#include "onesided/api/access.hpp"
#include "onesided/api/check_arguments.hpp"
#include "onesided/api/make_transfer.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto {

using onesided::OperationKind;

namespace {

onesided::LayoutTransfer flagged(onesided::LayoutTransfer&& put, const Region& region, Flag flag) {
  put.flag = {.region = onesided::Access::state(region)->id,
              .add = static_cast<std::uint16_t>(flag.add ? 1 : 0),
              .offset = flag.offset,
              .value = flag.value};
  return std::move(put);
}

onesided::LayoutTransfer alone(const Region& region, int target, Flag flag) {
  return flagged(onesided::make_transfer(region, {.target = target}, Source(nullptr, 0)), region, flag);
}

/// Where a flag of this rank's own part of a region is. Throws FinalizedError, or ArgumentError `place`.
std::byte* own_flag(const Region& region, std::size_t offset) {
  onesided::RegionState& state = *onesided::Access::state(region);
  state.check_alive();
  const onesided::Piece piece{.offset = offset, .size_bytes = sizeof(std::uint64_t)};
  state.check_range(region.rank(), piece.remote_end());
  onesided::check_aligned(offset, sizeof(std::uint64_t));
  return state.memory->mine() + offset;
}

bool compare(std::uint64_t flag, Comparison comparison, std::uint64_t value) {
  switch (comparison) {
    case Comparison::equal:
      return flag == value;
    case Comparison::not_equal:
      return flag != value;
    case Comparison::greater:
      return flag > value;
    case Comparison::greater_equal:
      return flag >= value;
    case Comparison::less:
      return flag < value;
    case Comparison::less_equal:
      break;
  }
  return flag <= value;
}

/// A condition with the address of its flag.
struct Watched {
  const std::byte* flag = nullptr;
  Comparison comparison{};
  std::uint64_t value = 0;

  [[nodiscard]] bool holds() const { return compare(onesided::read_flag(flag), comparison, value); }
};

Watched watch(const Region& region, const SignalCondition& condition) {
  return {own_flag(region, condition.offset), condition.comparison, condition.value};
}

std::vector<Watched> watch(const Region& region, std::span<const SignalCondition> conditions) {
  if (conditions.empty()) throw ArgumentError("conditions", "there is none, so the wait would not end");
  std::vector<Watched> watched;
  watched.reserve(conditions.size());
  for (const SignalCondition& condition : conditions) watched.push_back(watch(region, condition));
  return watched;
}

/// The index of the first that holds, or their count.
std::size_t first_that_holds(const std::vector<Watched>& watched) {
  const auto found =
      std::find_if(watched.begin(), watched.end(), [](const Watched& one) { return one.holds(); });
  return static_cast<std::size_t>(found - watched.begin());
}

template <typename Done>
void wait_until(const Region& region, Done&& done) {
  onesided::Access::state(region)->runtime().wait_until(done, "a signal", -1);
}

}  // namespace

void put_signal(const Region& region, Place place, Source source, Flag flag) {
  onesided::run(flagged(onesided::make_transfer(region, place, source), region, flag));
}

void put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  onesided::run(
      flagged(onesided::make_transfer(OperationKind::put, region, place, source, shape), region, flag));
}

void raise_signal(const Region& region, int target, Flag flag) { onesided::run(alone(region, target, flag)); }

namespace nonblocking {

Handle raise_signal(const Region& region, int target, Flag flag) {
  return onesided::start(alone(region, target, flag));
}

Handle put_signal(const Region& region, Place place, Source source, Flag flag) {
  return onesided::start(flagged(onesided::make_transfer(region, place, source), region, flag));
}

Handle put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  return onesided::start(
      flagged(onesided::make_transfer(OperationKind::put, region, place, source, shape), region, flag));
}

}  // namespace nonblocking

void reset_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  onesided::raise_flag(own_flag(region, offset), value, false);
}

std::uint64_t wait_signal(const Region& region, const SignalCondition& condition) {
  const Watched watched = watch(region, condition);
  std::uint64_t seen = 0;
  wait_until(region, [&] {
    seen = onesided::read_flag(watched.flag);
    return compare(seen, watched.comparison, watched.value);
  });
  return seen;
}

std::uint64_t wait_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  return wait_signal(region, {.offset = offset, .value = value});
}

bool test_signal(const Region& region, const SignalCondition& condition) {
  const Watched watched = watch(region, condition);
  if (watched.holds()) return true;
  onesided::Access::state(region)->runtime().make_progress();
  return watched.holds();
}

bool test_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  return test_signal(region, {.offset = offset, .value = value});
}

std::size_t wait_any_signal(const Region& region, std::span<const SignalCondition> conditions) {
  const std::vector<Watched> watched = watch(region, conditions);
  std::size_t found = watched.size();
  wait_until(region, [&] { return (found = first_that_holds(watched)) < watched.size(); });
  return found;
}

std::vector<std::size_t> wait_some_signals(const Region& region,
                                           std::span<const SignalCondition> conditions) {
  const std::vector<Watched> watched = watch(region, conditions);
  std::vector<std::size_t> found;
  wait_until(region, [&] {
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].holds()) found.push_back(i);
    }
    return !found.empty();
  });
  return found;
}

void wait_all_signals(const Region& region, std::span<const SignalCondition> conditions) {
  std::vector<Watched> left = watch(region, conditions);
  wait_until(region, [&] {
    std::erase_if(left, [](const Watched& one) { return one.holds(); });
    return left.empty();
  });
}

std::optional<std::size_t> test_any_signal(const Region& region,
                                           std::span<const SignalCondition> conditions) {
  const std::vector<Watched> watched = watch(region, conditions);
  std::size_t found = first_that_holds(watched);
  if (found == watched.size()) {
    onesided::Access::state(region)->runtime().make_progress();
    found = first_that_holds(watched);
  }
  return found < watched.size() ? std::optional(found) : std::nullopt;
}

}  // namespace stretto
