// SPDX-License-Identifier: BSD-3-Clause
// Put and get.
#include <stretto/transfer.hpp>

#include "bindings/objects.hpp"

using namespace stretto::bindings;
using stretto::Sink;
using stretto::Source;
namespace nonblocking = stretto::nonblocking;
namespace implicit = stretto::implicit;

extern "C" {

int stretto_put(const stretto_region* region, int target, size_t offset, const void* source,
                size_t size_bytes) {
  return guarded([&] { stretto::put(region_of(region), {target, offset}, Source(source, size_bytes)); });
}

int stretto_put_strided(const stretto_region* region, int target, size_t offset, const void* source,
                        int levels, const size_t counts[], const size_t local_strides[],
                        const size_t remote_strides[]) {
  return guarded([&] {
    stretto::put(region_of(region), {target, offset}, source,
                 strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_put_vector(const stretto_region* region, int target, size_t count,
                       const stretto_put_piece pieces[]) {
  return guarded([&] { stretto::put(region_of(region), target, pieces_of(pieces, count)); });
}

int stretto_get(const stretto_region* region, int target, size_t offset, void* sink, size_t size_bytes) {
  return guarded([&] { stretto::get(region_of(region), {target, offset}, Sink(sink, size_bytes)); });
}

int stretto_get_strided(const stretto_region* region, int target, size_t offset, void* sink, int levels,
                        const size_t counts[], const size_t local_strides[], const size_t remote_strides[]) {
  return guarded([&] {
    stretto::get(region_of(region), {target, offset}, sink,
                 strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_get_vector(const stretto_region* region, int target, size_t count,
                       const stretto_get_piece pieces[]) {
  return guarded([&] { stretto::get(region_of(region), target, pieces_of(pieces, count)); });
}

int stretto_nonblocking_put(const stretto_region* region, int target, size_t offset, const void* source,
                            size_t size_bytes, stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::put(region_of(region), {target, offset}, Source(source, size_bytes));
  });
}

int stretto_nonblocking_put_strided(const stretto_region* region, int target, size_t offset,
                                    const void* source, int levels, const size_t counts[],
                                    const size_t local_strides[], const size_t remote_strides[],
                                    stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::put(region_of(region), {target, offset}, source,
                            strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_nonblocking_put_vector(const stretto_region* region, int target, size_t count,
                                   const stretto_put_piece pieces[], stretto_handle** handle) {
  return started(handle,
                 [&] { return nonblocking::put(region_of(region), target, pieces_of(pieces, count)); });
}

int stretto_nonblocking_get(const stretto_region* region, int target, size_t offset, void* sink,
                            size_t size_bytes, stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::get(region_of(region), {target, offset}, Sink(sink, size_bytes));
  });
}

int stretto_nonblocking_get_strided(const stretto_region* region, int target, size_t offset, void* sink,
                                    int levels, const size_t counts[], const size_t local_strides[],
                                    const size_t remote_strides[], stretto_handle** handle) {
  return started(handle, [&] {
    return nonblocking::get(region_of(region), {target, offset}, sink,
                            strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_nonblocking_get_vector(const stretto_region* region, int target, size_t count,
                                   const stretto_get_piece pieces[], stretto_handle** handle) {
  return started(handle,
                 [&] { return nonblocking::get(region_of(region), target, pieces_of(pieces, count)); });
}

int stretto_implicit_put(const stretto_region* region, int target, size_t offset, const void* source,
                         size_t size_bytes) {
  return guarded([&] { implicit::put(region_of(region), {target, offset}, Source(source, size_bytes)); });
}

int stretto_implicit_put_strided(const stretto_region* region, int target, size_t offset, const void* source,
                                 int levels, const size_t counts[], const size_t local_strides[],
                                 const size_t remote_strides[]) {
  return guarded([&] {
    implicit::put(region_of(region), {target, offset}, source,
                  strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_implicit_put_vector(const stretto_region* region, int target, size_t count,
                                const stretto_put_piece pieces[]) {
  return guarded([&] { implicit::put(region_of(region), target, pieces_of(pieces, count)); });
}

int stretto_implicit_get(const stretto_region* region, int target, size_t offset, void* sink,
                         size_t size_bytes) {
  return guarded([&] { implicit::get(region_of(region), {target, offset}, Sink(sink, size_bytes)); });
}

int stretto_implicit_get_strided(const stretto_region* region, int target, size_t offset, void* sink,
                                 int levels, const size_t counts[], const size_t local_strides[],
                                 const size_t remote_strides[]) {
  return guarded([&] {
    implicit::get(region_of(region), {target, offset}, sink,
                  strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_implicit_get_vector(const stretto_region* region, int target, size_t count,
                                const stretto_get_piece pieces[]) {
  return guarded([&] { implicit::get(region_of(region), target, pieces_of(pieces, count)); });
}
}
