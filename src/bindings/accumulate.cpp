// SPDX-License-Identifier: BSD-3-Clause
// Accumulates.
#include <complex>
#include <cstring>
#include <stretto/accumulate.hpp>

#include "bindings/objects.hpp"

using namespace stretto::bindings;
using stretto::ElementType;
using stretto::Scale;
using stretto::Source;
namespace nonblocking = stretto::nonblocking;
namespace implicit = stretto::implicit;

namespace {

static_assert(static_cast<int>(ElementType::int32) == STRETTO_INT32 &&
              static_cast<int>(ElementType::int64) == STRETTO_INT64 &&
              static_cast<int>(ElementType::float32) == STRETTO_FLOAT32 &&
              static_cast<int>(ElementType::float64) == STRETTO_FLOAT64 &&
              static_cast<int>(ElementType::complex64) == STRETTO_COMPLEX64 &&
              static_cast<int>(ElementType::complex128) == STRETTO_COMPLEX128);

Scale one_of(ElementType type) {
  switch (type) {
    case ElementType::int32:
      return Scale::of(std::int32_t{1});
    case ElementType::int64:
      return Scale::of(std::int64_t{1});
    case ElementType::float32:
      return Scale::of(1.0F);
    case ElementType::float64:
      return Scale::of(1.0);
    case ElementType::complex64:
      return Scale::of(std::complex<float>(1));
    default:
      return Scale::of(std::complex<double>(1));
  }
}

Scale scale_of(int element_type, const void* factor) {
  const auto type = enumerator<ElementType>(element_type, STRETTO_COMPLEX128, "element_type");
  if (factor == nullptr) return one_of(type);
  Scale scale{.type = type};
  std::memcpy(scale.factor.data(), factor, size_of(type));
  return scale;
}

}  // namespace

extern "C" {

int stretto_accumulate(const stretto_region* region, int target, size_t offset, const void* source,
                       size_t size_bytes, int element_type, const void* factor) {
  return guarded([&] {
    stretto::accumulate(region_of(region), {target, offset}, Source(source, size_bytes),
                        scale_of(element_type, factor));
  });
}

int stretto_accumulate_strided(const stretto_region* region, int target, size_t offset, const void* source,
                               int levels, const size_t counts[], const size_t local_strides[],
                               const size_t remote_strides[], int element_type, const void* factor) {
  return guarded([&] {
    stretto::accumulate(region_of(region), {target, offset}, source,
                        strided(levels, counts, local_strides, remote_strides),
                        scale_of(element_type, factor));
  });
}

int stretto_accumulate_vector(const stretto_region* region, int target, size_t count,
                              const stretto_put_piece pieces[], int element_type, const void* factor) {
  return guarded([&] {
    stretto::accumulate(region_of(region), target, pieces_of(pieces, count), scale_of(element_type, factor));
  });
}

int stretto_nonblocking_accumulate(const stretto_region* region, int target, size_t offset,
                                   const void* source, size_t size_bytes, int element_type,
                                   const void* factor, stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::accumulate(region_of(region), {target, offset}, Source(source, size_bytes),
                                   scale_of(element_type, factor));
  });
}

int stretto_nonblocking_accumulate_strided(const stretto_region* region, int target, size_t offset,
                                           const void* source, int levels, const size_t counts[],
                                           const size_t local_strides[], const size_t remote_strides[],
                                           int element_type, const void* factor, stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::accumulate(region_of(region), {target, offset}, source,
                                   strided(levels, counts, local_strides, remote_strides),
                                   scale_of(element_type, factor));
  });
}

int stretto_nonblocking_accumulate_vector(const stretto_region* region, int target, size_t count,
                                          const stretto_put_piece pieces[], int element_type,
                                          const void* factor, stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::accumulate(region_of(region), target, pieces_of(pieces, count),
                                   scale_of(element_type, factor));
  });
}

int stretto_implicit_accumulate(const stretto_region* region, int target, size_t offset, const void* source,
                                size_t size_bytes, int element_type, const void* factor) {
  return guarded([&] {
    implicit::accumulate(region_of(region), {target, offset}, Source(source, size_bytes),
                         scale_of(element_type, factor));
  });
}

int stretto_implicit_accumulate_strided(const stretto_region* region, int target, size_t offset,
                                        const void* source, int levels, const size_t counts[],
                                        const size_t local_strides[], const size_t remote_strides[],
                                        int element_type, const void* factor) {
  return guarded([&] {
    implicit::accumulate(region_of(region), {target, offset}, source,
                         strided(levels, counts, local_strides, remote_strides),
                         scale_of(element_type, factor));
  });
}

int stretto_implicit_accumulate_vector(const stretto_region* region, int target, size_t count,
                                       const stretto_put_piece pieces[], int element_type,
                                       const void* factor) {
  return guarded([&] {
    implicit::accumulate(region_of(region), target, pieces_of(pieces, count), scale_of(element_type, factor));
  });
}
}
