// SPDX-License-Identifier: BSD-3-Clause
// Aggregates and mutexes.
#include <stretto/aggregate.hpp>
#include <stretto/mutexes.hpp>

#include "bindings/objects.hpp"
#include "onesided/api/agreement.hpp"

using namespace stretto::bindings;
using stretto::Sink;
using stretto::Source;

namespace {

stretto::Aggregate& aggregate_of(stretto_aggregate* aggregate) {
  return given(aggregate, "aggregate").aggregate;
}

stretto::Mutexes& mutexes_of(stretto_mutexes* mutexes) { return given(mutexes, "mutexes").mutexes; }

}  // namespace

extern "C" {

int stretto_aggregate_create(stretto_runtime* runtime, stretto_aggregate** aggregate) {
  return guarded([&] {
    stretto_aggregate*& result = given(aggregate, "aggregate");
    result = new stretto_aggregate{stretto::Aggregate(runtime_of(runtime))};
  });
}

int stretto_aggregate_free(stretto_aggregate** aggregate) {
  return freed(aggregate, "aggregate", [](const stretto_aggregate& object) {
    if (object.aggregate.pending()) {
      throw stretto::HandleError("the aggregate is freed while pending; wait for it first");
    }
  });
}

int stretto_aggregate_put(stretto_aggregate* aggregate, const stretto_region* region, int target,
                          size_t offset, const void* source, size_t size_bytes) {
  return guarded([&] {
    aggregate_of(aggregate).put(region_of(region), {target, offset}, Source(source, size_bytes));
  });
}

int stretto_aggregate_put_strided(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                  size_t offset, const void* source, int levels, const size_t counts[],
                                  const size_t local_strides[], const size_t remote_strides[]) {
  return guarded([&] {
    aggregate_of(aggregate).put(region_of(region), {target, offset}, source,
                                strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_aggregate_put_vector(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                 size_t count, const stretto_put_piece pieces[]) {
  return guarded([&] { aggregate_of(aggregate).put(region_of(region), target, pieces_of(pieces, count)); });
}

int stretto_aggregate_get(stretto_aggregate* aggregate, const stretto_region* region, int target,
                          size_t offset, void* sink, size_t size_bytes) {
  return guarded([&] {
    aggregate_of(aggregate).get(region_of(region), {target, offset}, Sink(sink, size_bytes));
  });
}

int stretto_aggregate_get_strided(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                  size_t offset, void* sink, int levels, const size_t counts[],
                                  const size_t local_strides[], const size_t remote_strides[]) {
  return guarded([&] {
    aggregate_of(aggregate).get(region_of(region), {target, offset}, sink,
                                strided(levels, counts, local_strides, remote_strides));
  });
}

int stretto_aggregate_get_vector(stretto_aggregate* aggregate, const stretto_region* region, int target,
                                 size_t count, const stretto_get_piece pieces[]) {
  return guarded([&] { aggregate_of(aggregate).get(region_of(region), target, pieces_of(pieces, count)); });
}

int stretto_aggregate_pending(const stretto_aggregate* aggregate, int* pending) {
  return give(pending, "pending", [&] { return given(aggregate, "aggregate").aggregate.pending() ? 1 : 0; });
}

int stretto_aggregate_wait(stretto_runtime* runtime, stretto_aggregate* aggregate) {
  return guarded([&] { runtime_of(runtime).wait(aggregate_of(aggregate)); });
}

int stretto_aggregate_test(stretto_runtime* runtime, stretto_aggregate* aggregate, int* complete) {
  return give(complete, "complete",
              [&] { return runtime_of(runtime).test(aggregate_of(aggregate)) ? 1 : 0; });
}

int stretto_mutexes_create(stretto_runtime* runtime, size_t count, stretto_mutexes** mutexes) {
  return guarded([&] {
    stretto::onesided::agree(runtime_of(runtime), [&] { (void)given(mutexes, "mutexes"); });
    *mutexes = new stretto_mutexes{stretto::Mutexes(runtime->runtime, count)};
  });
}

int stretto_mutexes_free(stretto_mutexes** mutexes) {
  return freed(mutexes, "mutexes", [](stretto_mutexes& object) { object.mutexes.free(); });
}

int stretto_mutexes_lock(stretto_mutexes* mutexes, int owner, size_t index) {
  return guarded([&] { mutexes_of(mutexes).lock(owner, index); });
}

int stretto_mutexes_unlock(stretto_mutexes* mutexes, int owner, size_t index) {
  return guarded([&] { mutexes_of(mutexes).unlock(owner, index); });
}
}
