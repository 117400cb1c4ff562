// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/signal.hpp>
#include <utility>

#include "onesided/api/access.hpp"
#include "onesided/api/make_transfer.hpp"
#include "onesided/api/own_flag.hpp"
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
  onesided::raise_flag(onesided::own_flag(region, offset), value, false);
}

}  // namespace stretto
