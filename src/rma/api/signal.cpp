// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/signal.hpp>
#include <utility>

#include "rma/api/access.hpp"
#include "rma/api/check_arguments.hpp"
#include "rma/api/make_transfer.hpp"
#include "rma/memory/memory_operations.hpp"
#include "rma/memory/region_state.hpp"

namespace stretto {

using rma::OperationKind;

namespace {

rma::Transfer flagged(rma::Transfer&& put, const Region& region, Flag flag) {
  put.flag = {.region = rma::Access::state(region)->id,
              .add = static_cast<std::uint16_t>(flag.add ? 1 : 0),
              .offset = flag.offset,
              .value = flag.value};
  return std::move(put);
}

/// Where a flag of this rank is.
std::byte* own_flag(const Region& region, std::size_t offset) {
  rma::RegionState& state = *rma::Access::state(region);
  state.check_alive();
  const rma::Layout layout = rma::Layout::contiguous({.offset = offset, .size_bytes = sizeof(std::uint64_t)});
  state.check_range(region.rank(), layout.remote_end());
  rma::check_aligned(offset, sizeof(std::uint64_t));
  return state.memory->mine() + offset;
}

}  // namespace

void put_signal(const Region& region, Place place, Source source, Flag flag) {
  rma::run(flagged(rma::make_transfer(region, place, source), region, flag));
}

void put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  rma::run(flagged(rma::make_transfer(OperationKind::put, region, place, source, shape), region, flag));
}

namespace nonblocking {

Handle put_signal(const Region& region, Place place, Source source, Flag flag) {
  return rma::start(flagged(rma::make_transfer(region, place, source), region, flag));
}

Handle put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  return rma::start(
      flagged(rma::make_transfer(OperationKind::put, region, place, source, shape), region, flag));
}

}  // namespace nonblocking

std::uint64_t wait_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  const std::byte* flag = own_flag(region, offset);
  std::uint64_t seen = 0;
  const auto raised = [&] { return (seen = rma::read_flag(flag)) >= value; };
  rma::Access::state(region)->runtime().wait_until(raised, "a signal", -1);
  return seen;
}

bool test_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  const std::byte* flag = own_flag(region, offset);
  if (rma::read_flag(flag) >= value) return true;
  rma::Access::state(region)->runtime().make_progress();
  return rma::read_flag(flag) >= value;
}

void reset_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  rma::raise_flag(own_flag(region, offset), value, false);
}

}  // namespace stretto
