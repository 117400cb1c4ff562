// SPDX-License-Identifier: BSD-3-Clause
#include <stretto/accumulate.hpp>

#include "onesided/api/make_transfer.hpp"

namespace stretto {

using onesided::OperationKind;

void accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  onesided::run(onesided::as_accumulate(onesided::make_transfer(region, place, source), scale));
}

void accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                const Scale& scale) {
  onesided::run(onesided::as_accumulate(
      onesided::make_transfer(OperationKind::put, region, place, source, shape), scale));
}

void accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale) {
  onesided::run(onesided::as_accumulate(onesided::make_transfer(region, target, pieces), scale));
}

namespace nonblocking {

Handle accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  return onesided::start(onesided::as_accumulate(onesided::make_transfer(region, place, source), scale));
}

Handle accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                  const Scale& scale) {
  return onesided::start(onesided::as_accumulate(
      onesided::make_transfer(OperationKind::put, region, place, source, shape), scale));
}

Handle accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale) {
  return onesided::start(onesided::as_accumulate(onesided::make_transfer(region, target, pieces), scale));
}

}  // namespace nonblocking

namespace implicit {

void accumulate(const Region& region, Place place, Source source, const Scale& scale) {
  onesided::start_implicit(onesided::as_accumulate(onesided::make_transfer(region, place, source), scale));
}

void accumulate(const Region& region, Place place, const void* source, const Strided& shape,
                const Scale& scale) {
  onesided::start_implicit(onesided::as_accumulate(
      onesided::make_transfer(OperationKind::put, region, place, source, shape), scale));
}

void accumulate(const Region& region, int target, std::span<const PutPiece> pieces, const Scale& scale) {
  onesided::start_implicit(onesided::as_accumulate(onesided::make_transfer(region, target, pieces), scale));
}

}  // namespace implicit

}  // namespace stretto
