// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <stretto/aggregate.hpp>
#include <utility>

#include "rma/api/aggregate_state.hpp"
#include "rma/api/make_transfer.hpp"
#include "rma/memory/region_state.hpp"

namespace stretto {

using rma::Kind;

namespace {

/// What is pending ends before its buffers go away, and then it is said.
void drop(rma::AggregateState& aggregate) {
  const std::string what = "an aggregate to rank " + std::to_string(aggregate.target) +
                           " was dropped while pending; wait for it, or test it until it is done";
  aggregate.wait();
  if (std::uncaught_exceptions() == 0) aggregate.state->report_dropped(what);
}

bool add_alike(rma::AggregateState& aggregate, Kind kind, const Region& region, Place place,
               const void* local, std::size_t size_bytes) {
  const rma::RegionState& own = *region.state();
  return aggregate.add_alike(
      kind, own, place.target,
      {static_cast<std::byte*>(const_cast<void*>(local)), place.offset, size_bytes, own.id});
}

}  // namespace

Aggregate::Aggregate(Runtime& runtime) : state_(std::make_shared<rma::AggregateState>(runtime.state())) {}

Aggregate::Aggregate(Aggregate&&) noexcept = default;

Aggregate& Aggregate::operator=(Aggregate&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Aggregate::~Aggregate() {
  if (state_ != nullptr && state_->pending()) drop(*state_);
}

bool Aggregate::pending() const { return state_->pending(); }

void Aggregate::put(const Region& region, Place place, Source source) {
  if (!add_alike(*state_, Kind::put, region, place, source.data, source.size_bytes)) {
    state_->add(rma::describe(region, place, source));
  }
}

void Aggregate::put(const Region& region, Place place, const void* source, const Strided& shape) {
  state_->add(rma::describe(Kind::put, region, place, source, shape));
}

void Aggregate::put(const Region& region, int target, std::span<const PutPiece> pieces) {
  state_->add(rma::describe(region, target, pieces));
}

void Aggregate::get(const Region& region, Place place, Sink sink) {
  if (!add_alike(*state_, Kind::get, region, place, sink.data, sink.size_bytes)) {
    state_->add(rma::describe(region, place, sink));
  }
}

void Aggregate::get(const Region& region, Place place, void* sink, const Strided& shape) {
  state_->add(rma::describe(Kind::get, region, place, sink, shape));
}

void Aggregate::get(const Region& region, int target, std::span<const GetPiece> pieces) {
  state_->add(rma::describe(region, target, pieces));
}

}  // namespace stretto
