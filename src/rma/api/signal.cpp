// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/signal.hpp>
#include <utility>

#include "rma/api/check_arguments.hpp"
#include "rma/api/make_transfer.hpp"
#include "rma/memory/memory_operations.hpp"
#include "rma/memory/region_state.hpp"

namespace stretto {

using rma::Kind;

namespace {

rma::Transfer flagged(rma::Transfer&& put, const Region& region, Flag flag) {
  put.flag = {.region = region.state()->id,
              .add = static_cast<std::uint16_t>(flag.add ? 1 : 0),
              .offset = flag.offset,
              .value = flag.value};
  return std::move(put);
}

/// Where a flag of this rank is.
std::byte* own_flag(const Region& region, std::size_t offset) {
  rma::RegionState& state = *region.state();
  state.check_alive();
  const rma::Layout layout = rma::Layout::contiguous({.offset = offset, .size_bytes = sizeof(std::uint64_t)});
  state.check_range(region.rank(), layout.remote_end());
  rma::check_aligned(offset, sizeof(std::uint64_t));
  return state.memory->mine() + offset;
}

}  // namespace

void put_signal(const Region& region, Place place, Source source, Flag flag) {
  rma::run(flagged(rma::describe(region, place, source), region, flag));
}

void put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  rma::run(flagged(rma::describe(Kind::put, region, place, source, shape), region, flag));
}

namespace nonblocking {

Handle put_signal(const Region& region, Place place, Source source, Flag flag) {
  return rma::start(flagged(rma::describe(region, place, source), region, flag));
}

Handle put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  return rma::start(flagged(rma::describe(Kind::put, region, place, source, shape), region, flag));
}

}  // namespace nonblocking

std::uint64_t wait_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  const std::byte* flag = own_flag(region, offset);
  std::uint64_t seen = 0;
  const auto raised = [&] { return (seen = rma::read_flag(flag)) >= value; };
  region.state()->state().wait_until(raised, "a signal", -1);
  return seen;
}

bool test_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  const std::byte* flag = own_flag(region, offset);
  if (rma::read_flag(flag) >= value) return true;
  region.state()->state().make_progress();
  return rma::read_flag(flag) >= value;
}

void reset_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  rma::raise_flag(own_flag(region, offset), value, false);
}

}  // namespace stretto
