// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/transfer.hpp>

#include "onesided/api/check_arguments.hpp"
#include "onesided/api/make_transfer.hpp"
#include "onesided/path/direct.hpp"

namespace stretto {

using onesided::OperationKind;

namespace {

void move(const onesided::ContiguousTransfer& transfer) {
  if (!onesided::try_directly(transfer)) onesided::run(transfer);
}

}  // namespace

void put(const Region& region, Place place, Source source) {
  move(onesided::make_contiguous(region, place, source));
}

void put(const Region& region, Place place, const void* source, const Strided& shape) {
  onesided::run(onesided::make_transfer(OperationKind::put, region, place, source, shape));
}

void put(const Region& region, int target, std::span<const PutPiece> pieces) {
  onesided::run(onesided::make_transfer(region, target, pieces));
}

void get(const Region& region, Place place, Sink sink) {
  move(onesided::make_contiguous(region, place, sink));
}

void get(const Region& region, Place place, void* sink, const Strided& shape) {
  onesided::run(onesided::make_transfer(OperationKind::get, region, place, sink, shape));
}

void get(const Region& region, int target, std::span<const GetPiece> pieces) {
  onesided::run(onesided::make_transfer(region, target, pieces));
}

namespace detail {

void check_put(const Region& region, Place place, Source source) {
  onesided::check_arguments(onesided::make_contiguous(region, place, source));
}

void check_get(const Region& region, Place place, Sink sink) {
  onesided::check_arguments(onesided::make_contiguous(region, place, sink));
}

void check_accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  onesided::check_arguments(onesided::as_accumulate(onesided::make_transfer(region, place, source), scale));
}

}  // namespace detail

namespace nonblocking {

Handle put(const Region& region, Place place, Source source) {
  return onesided::start(onesided::make_contiguous(region, place, source));
}

Handle put(const Region& region, Place place, const void* source, const Strided& shape) {
  return onesided::start(onesided::make_transfer(OperationKind::put, region, place, source, shape));
}

Handle put(const Region& region, int target, std::span<const PutPiece> pieces) {
  return onesided::start(onesided::make_transfer(region, target, pieces));
}

Handle get(const Region& region, Place place, Sink sink) {
  return onesided::start(onesided::make_contiguous(region, place, sink));
}

Handle get(const Region& region, Place place, void* sink, const Strided& shape) {
  return onesided::start(onesided::make_transfer(OperationKind::get, region, place, sink, shape));
}

Handle get(const Region& region, int target, std::span<const GetPiece> pieces) {
  return onesided::start(onesided::make_transfer(region, target, pieces));
}

}  // namespace nonblocking

namespace implicit {

void put(const Region& region, Place place, Source source) {
  onesided::start_implicit(onesided::make_contiguous(region, place, source));
}

void put(const Region& region, Place place, const void* source, const Strided& shape) {
  onesided::start_implicit(onesided::make_transfer(OperationKind::put, region, place, source, shape));
}

void put(const Region& region, int target, std::span<const PutPiece> pieces) {
  onesided::start_implicit(onesided::make_transfer(region, target, pieces));
}

void get(const Region& region, Place place, Sink sink) {
  onesided::start_implicit(onesided::make_contiguous(region, place, sink));
}

void get(const Region& region, Place place, void* sink, const Strided& shape) {
  onesided::start_implicit(onesided::make_transfer(OperationKind::get, region, place, sink, shape));
}

void get(const Region& region, int target, std::span<const GetPiece> pieces) {
  onesided::start_implicit(onesided::make_transfer(region, target, pieces));
}

}  // namespace implicit

}  // namespace stretto
