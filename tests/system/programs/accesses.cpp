// SPDX-License-Identifier: BSD-3-Clause
// Accesses watched data in every way that an instrumented program may, and compares with the times that the
// runtime has recorded. Prints missing accesses; needs no MPI.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "memory/watch.hpp"

namespace {

using stretto::memory::PartTimes;
using stretto::memory::Range;

constexpr std::size_t page = 4096;
constexpr std::uint32_t no_arrival = 0;  // the order of the computation is not asked for
stretto::memory::Watch* watch;
char* pages;  // three pages, of which only the middle one is watched
volatile std::uint64_t sum;

Range at(const void* begin) { return {reinterpret_cast<std::uintptr_t>(begin), 8}; }

/// The time of the first load of the eight bytes since their arrival; 0: none.
std::uint64_t first_load(const void* begin) {
  PartTimes times;
  if (!watch->consumed(at(begin), no_arrival, times)) std::puts("not watched");
  return times.ns[0];
}

std::uint64_t last_store(const void* begin) {
  PartTimes times;
  if (!watch->produced(at(begin), times)) std::puts("not watched");
  return times.ns[0];
}

void expect(bool good, const char* what, std::size_t bytes) {
  if (!good) std::printf("%s, %zu bytes\n", what, bytes);
}

template <typename T>
struct __attribute__((packed)) Anywhere {
  T value;
};

template <typename T>
void reads_and_writes(T* one) {
  watch->arrived(at(one));
  sum = sum + static_cast<std::uint64_t>(*one);
  expect(first_load(one) != 0, "load", sizeof *one);
  watch->arrived(at(one));
  *one = static_cast<T>(sum + 1);  // a new value: a copy would have the time of its source
  expect(first_load(one) == 0, "load of what was overwritten", sizeof *one);
  const std::uint64_t before = last_store(one);
  *one = static_cast<T>(sum + 2);
  expect(last_store(one) > before, "store", sizeof *one);
  watch->arrived(at(one));
  *one += 1;
  expect(first_load(one) != 0, "load of what is added to", sizeof *one);
}

template <typename T>
void anywhere(char* byte) {
  auto* one = reinterpret_cast<Anywhere<T>*>(byte);
  char* last = byte + sizeof(T) - 1;
  watch->arrived(at(last));
  sum = sum + static_cast<std::uint64_t>(one->value);
  expect(first_load(last) != 0, "unaligned load", sizeof(T));
  const std::uint64_t before = last_store(last);
  one->value = static_cast<T>(sum + 1);
  expect(last_store(last) > before, "unaligned store", sizeof(T));
}

void copies(char* from, char* to, std::size_t bytes) {
  watch->arrived(at(from));
  std::memcpy(to, from, bytes);
  expect(first_load(from) != 0, "memcpy", bytes);
  const std::uint64_t before = last_store(from);
  std::memset(from, 1, bytes);
  expect(last_store(from) > before, "memset", bytes);
}

}  // namespace

int main(int argc, char**) {
  watch = stretto_memory_watch();
  pages = static_cast<char*>(std::aligned_alloc(page, 3 * page));
  char* watched = pages + page;
  watch->arrived(Range{reinterpret_cast<std::uintptr_t>(watched), page});
  reads_and_writes(reinterpret_cast<std::uint8_t*>(watched));
  reads_and_writes(reinterpret_cast<std::uint16_t*>(watched + 16));
  reads_and_writes(reinterpret_cast<std::uint32_t*>(watched + 32));
  reads_and_writes(reinterpret_cast<std::uint64_t*>(watched + 48));
  reads_and_writes(reinterpret_cast<unsigned __int128*>(watched + 64));
  reads_and_writes(reinterpret_cast<float*>(watched + 80));
  reads_and_writes(reinterpret_cast<double*>(watched + 96));
  for (char* byte : {watched - 1, watched + 131}) {  // also across the edge of the page
    anywhere<std::uint16_t>(byte);
    anywhere<std::uint32_t>(byte);
    anywhere<std::uint64_t>(byte);
    anywhere<double>(byte);
  }
  copies(watched + 256, pages, static_cast<std::size_t>(argc) * 1000);
  std::puts("done");
  return 0;
}
