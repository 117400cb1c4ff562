// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <stretto/aggregate.hpp>
#include <string>
#include <utility>

#include "onesided/api/access.hpp"
#include "onesided/api/aggregate_state.hpp"
#include "onesided/api/make_transfer.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto {

using onesided::OperationKind;

namespace {

/// Waits for pending operations, because their buffers are about to be freed, and reports the error.
void drop(onesided::AggregateState& aggregate) noexcept {
  const bool unwinding = std::uncaught_exceptions() > 0;
  const int target = aggregate.target;
  aggregate.end();
  if (unwinding) return;
  onesided::in_destructor([&] {
    aggregate.state->report_dropped("an aggregate to rank " + std::to_string(target) +
                                    " was dropped while pending; wait for it, or test it until it is done");
  });
}

bool add_alike(onesided::AggregateState& aggregate, OperationKind kind, const Region& region, Place place,
               const void* local, std::size_t size_bytes) {
  const onesided::RegionState& own = *onesided::Access::state(region);
  return aggregate.add_alike(
      kind, own, place.target,
      {static_cast<std::byte*>(const_cast<void*>(local)), place.offset, size_bytes, own.id});
}

}  // namespace

Aggregate::Aggregate(Runtime& runtime)
    : state_(std::make_shared<onesided::AggregateState>(onesided::Access::state(runtime))) {}

Aggregate::Aggregate(Aggregate&&) noexcept = default;

Aggregate& Aggregate::operator=(Aggregate&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Aggregate::~Aggregate() {
  if (state_ != nullptr && state_->pending()) drop(*state_);
}

bool Aggregate::pending() const { return state_ != nullptr && state_->pending(); }

void Aggregate::put(const Region& region, Place place, Source source) {
  if (!add_alike(*state_, OperationKind::put, region, place, source.data, source.size_bytes)) {
    state_->add(onesided::make_transfer(region, place, source));
  }
}

void Aggregate::put(const Region& region, Place place, const void* source, const Strided& shape) {
  state_->add(onesided::make_transfer(OperationKind::put, region, place, source, shape));
}

void Aggregate::put(const Region& region, int target, std::span<const PutPiece> pieces) {
  state_->add(onesided::make_transfer(region, target, pieces));
}

void Aggregate::get(const Region& region, Place place, Sink sink) {
  if (!add_alike(*state_, OperationKind::get, region, place, sink.data, sink.size_bytes)) {
    state_->add(onesided::make_transfer(region, place, sink));
  }
}

void Aggregate::get(const Region& region, Place place, void* sink, const Strided& shape) {
  state_->add(onesided::make_transfer(OperationKind::get, region, place, sink, shape));
}

void Aggregate::get(const Region& region, int target, std::span<const GetPiece> pieces) {
  state_->add(onesided::make_transfer(region, target, pieces));
}

}  // namespace stretto
