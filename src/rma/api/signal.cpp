// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/signal.hpp>
#include <utility>

#include "rma/api/access.hpp"
#include "rma/api/make_transfer.hpp"
#include "rma/api/own_flag.hpp"
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

rma::Transfer alone(const Region& region, int target, Flag flag) {
  return flagged(rma::make_transfer(region, {.target = target}, Source(nullptr, 0)), region, flag);
}

}  // namespace

void put_signal(const Region& region, Place place, Source source, Flag flag) {
  rma::run(flagged(rma::make_transfer(region, place, source), region, flag));
}

void put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  rma::run(flagged(rma::make_transfer(OperationKind::put, region, place, source, shape), region, flag));
}

void raise_signal(const Region& region, int target, Flag flag) { rma::run(alone(region, target, flag)); }

namespace nonblocking {

Handle raise_signal(const Region& region, int target, Flag flag) {
  return rma::start(alone(region, target, flag));
}

Handle put_signal(const Region& region, Place place, Source source, Flag flag) {
  return rma::start(flagged(rma::make_transfer(region, place, source), region, flag));
}

Handle put_signal(const Region& region, Place place, const void* source, const Strided& shape, Flag flag) {
  return rma::start(
      flagged(rma::make_transfer(OperationKind::put, region, place, source, shape), region, flag));
}

}  // namespace nonblocking

void reset_signal(const Region& region, std::size_t offset, std::uint64_t value) {
  rma::raise_flag(rma::own_flag(region, offset), value, false);
}

}  // namespace stretto
