// SPDX-License-Identifier: BSD-3-Clause
// Flags, alone and behind a put.
#include <stretto/signal.hpp>

#include "bindings/objects.hpp"

using namespace stretto::bindings;
using stretto::Source;
namespace nonblocking = stretto::nonblocking;

namespace {

stretto::Flag flag_of(size_t offset, uint64_t value, int operation) {
  if (operation != STRETTO_FLAG_SET && operation != STRETTO_FLAG_ADD) {
    throw_no_constant("flag_operation", operation);
  }
  return {.offset = offset, .value = value, .add = operation == STRETTO_FLAG_ADD};
}

}  // namespace

extern "C" {

int stretto_put_signal(const stretto_region* region, int target, size_t offset, const void* source,
                       size_t size_bytes, size_t flag_offset, uint64_t flag_value, int flag_operation) {
  return guarded([&] {
    stretto::put_signal(region_of(region), {target, offset}, Source(source, size_bytes),
                        flag_of(flag_offset, flag_value, flag_operation));
  });
}

int stretto_put_signal_strided(const stretto_region* region, int target, size_t offset, const void* source,
                               int levels, const size_t counts[], const size_t local_strides[],
                               const size_t remote_strides[], size_t flag_offset, uint64_t flag_value,
                               int flag_operation) {
  return guarded([&] {
    stretto::put_signal(region_of(region), {target, offset}, source,
                        strided(levels, counts, local_strides, remote_strides),
                        flag_of(flag_offset, flag_value, flag_operation));
  });
}

int stretto_nonblocking_put_signal(const stretto_region* region, int target, size_t offset,
                                   const void* source, size_t size_bytes, size_t flag_offset,
                                   uint64_t flag_value, int flag_operation, stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::put_signal(region_of(region), {target, offset}, Source(source, size_bytes),
                                   flag_of(flag_offset, flag_value, flag_operation));
  });
}

int stretto_nonblocking_put_signal_strided(const stretto_region* region, int target, size_t offset,
                                           const void* source, int levels, const size_t counts[],
                                           const size_t local_strides[], const size_t remote_strides[],
                                           size_t flag_offset, uint64_t flag_value, int flag_operation,
                                           stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::put_signal(region_of(region), {target, offset}, source,
                                   strided(levels, counts, local_strides, remote_strides),
                                   flag_of(flag_offset, flag_value, flag_operation));
  });
}

int stretto_raise_signal(const stretto_region* region, int target, size_t flag_offset, uint64_t flag_value,
                         int flag_operation) {
  return guarded([&] {
    stretto::raise_signal(region_of(region), target, flag_of(flag_offset, flag_value, flag_operation));
  });
}

int stretto_nonblocking_raise_signal(const stretto_region* region, int target, size_t flag_offset,
                                     uint64_t flag_value, int flag_operation, stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::raise_signal(region_of(region), target,
                                     flag_of(flag_offset, flag_value, flag_operation));
  });
}
}
