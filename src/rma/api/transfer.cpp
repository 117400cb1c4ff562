// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/transfer.hpp>

#include "rma/api/check_arguments.hpp"
#include "rma/api/make_transfer.hpp"
#include "rma/path/direct.hpp"

namespace stretto {

using rma::OperationKind;

namespace {

void move(const rma::ContiguousTransfer& transfer) {
  if (!rma::try_directly(transfer)) rma::run(transfer);
}

}  // namespace

void put(const Region& region, Place place, Source source) {
  move(rma::make_contiguous(region, place, source));
}

void put(const Region& region, Place place, const void* source, const Strided& shape) {
  rma::run(rma::make_transfer(OperationKind::put, region, place, source, shape));
}

void put(const Region& region, int target, std::span<const PutPiece> pieces) {
  rma::run(rma::make_transfer(region, target, pieces));
}

void get(const Region& region, Place place, Sink sink) { move(rma::make_contiguous(region, place, sink)); }

void get(const Region& region, Place place, void* sink, const Strided& shape) {
  rma::run(rma::make_transfer(OperationKind::get, region, place, sink, shape));
}

void get(const Region& region, int target, std::span<const GetPiece> pieces) {
  rma::run(rma::make_transfer(region, target, pieces));
}

namespace detail {

void check_put(const Region& region, Place place, Source source) {
  rma::check_arguments(rma::make_contiguous(region, place, source));
}

void check_get(const Region& region, Place place, Sink sink) {
  rma::check_arguments(rma::make_contiguous(region, place, sink));
}

void check_accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  rma::check_arguments(rma::as_accumulate(rma::make_transfer(region, place, source), scale));
}

}  // namespace detail

namespace nonblocking {

Handle put(const Region& region, Place place, Source source) {
  return rma::start(rma::make_contiguous(region, place, source));
}

Handle put(const Region& region, Place place, const void* source, const Strided& shape) {
  return rma::start(rma::make_transfer(OperationKind::put, region, place, source, shape));
}

Handle put(const Region& region, int target, std::span<const PutPiece> pieces) {
  return rma::start(rma::make_transfer(region, target, pieces));
}

Handle get(const Region& region, Place place, Sink sink) {
  return rma::start(rma::make_contiguous(region, place, sink));
}

Handle get(const Region& region, Place place, void* sink, const Strided& shape) {
  return rma::start(rma::make_transfer(OperationKind::get, region, place, sink, shape));
}

Handle get(const Region& region, int target, std::span<const GetPiece> pieces) {
  return rma::start(rma::make_transfer(region, target, pieces));
}

}  // namespace nonblocking

namespace implicit {

void put(const Region& region, Place place, Source source) {
  rma::start_implicit(rma::make_contiguous(region, place, source));
}

void put(const Region& region, Place place, const void* source, const Strided& shape) {
  rma::start_implicit(rma::make_transfer(OperationKind::put, region, place, source, shape));
}

void put(const Region& region, int target, std::span<const PutPiece> pieces) {
  rma::start_implicit(rma::make_transfer(region, target, pieces));
}

void get(const Region& region, Place place, Sink sink) {
  rma::start_implicit(rma::make_contiguous(region, place, sink));
}

void get(const Region& region, Place place, void* sink, const Strided& shape) {
  rma::start_implicit(rma::make_transfer(OperationKind::get, region, place, sink, shape));
}

void get(const Region& region, int target, std::span<const GetPiece> pieces) {
  rma::start_implicit(rma::make_transfer(region, target, pieces));
}

}  // namespace implicit

}  // namespace stretto
