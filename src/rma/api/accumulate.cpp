// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/accumulate.hpp>

#include "rma/api/make_transfer.hpp"

namespace stretto {

using rma::OperationKind;

void accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  rma::run(rma::as_accumulate(rma::make_transfer(region, place, source), scale));
}

void accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                const Scale& scale) {
  rma::run(rma::as_accumulate(rma::make_transfer(OperationKind::put, region, place, source, shape), scale));
}

void accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale) {
  rma::run(rma::as_accumulate(rma::make_transfer(region, target, pieces), scale));
}

namespace nonblocking {

Handle accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  return rma::start(rma::as_accumulate(rma::make_transfer(region, place, source), scale));
}

Handle accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                  const Scale& scale) {
  return rma::start(
      rma::as_accumulate(rma::make_transfer(OperationKind::put, region, place, source, shape), scale));
}

Handle accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale) {
  return rma::start(rma::as_accumulate(rma::make_transfer(region, target, pieces), scale));
}

}  // namespace nonblocking

namespace implicit {

void accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  rma::start_implicit(rma::as_accumulate(rma::make_transfer(region, place, source), scale));
}

void accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                const Scale& scale) {
  rma::start_implicit(
      rma::as_accumulate(rma::make_transfer(OperationKind::put, region, place, source, shape), scale));
}

void accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale) {
  rma::start_implicit(rma::as_accumulate(rma::make_transfer(region, target, pieces), scale));
}

}  // namespace implicit

}  // namespace stretto
