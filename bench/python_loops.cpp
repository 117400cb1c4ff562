// SPDX-License-Identifier: BSD-3-Clause
// Calls of the runtime in C++, on a region that Python has made: python_loops.py compares them with its own.
// Each loop returns the seconds that one call takes.
#include <chrono>
#include <cstddef>
#include <stretto/accumulate.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "bindings/objects.hpp"

namespace {

template <typename Call>
double seconds(int count, Call&& call) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
}

}  // namespace

extern "C" {

double loop_put(const stretto_region* region, void* data, std::size_t size_bytes, int count) {
  return seconds(count,
                 [&] { stretto::put(region->region, {.target = 1}, stretto::Source(data, size_bytes)); });
}

double loop_get(const stretto_region* region, void* data, std::size_t size_bytes, int count) {
  return seconds(count,
                 [&] { stretto::get(region->region, {.target = 1}, stretto::Sink(data, size_bytes)); });
}

double loop_accumulate(const stretto_region* region, void* data, std::size_t size_bytes, int count) {
  return seconds(count, [&] {
    stretto::accumulate(region->region, {.target = 1}, stretto::Source(data, size_bytes),
                        stretto::Scale::of(1.0));
  });
}

double loop_signal(const stretto_region* region, void* data, std::size_t size_bytes, int count) {
  const std::size_t flag = region->region.size_bytes(1) - sizeof(std::uint64_t);
  return seconds(count, [&] {
    stretto::put_signal(region->region, {.target = 1}, stretto::Source(data, size_bytes), {.offset = flag});
  });
}
}
