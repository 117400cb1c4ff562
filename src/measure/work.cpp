// SPDX-License-Identifier: BSD-3-Clause
// The loops of CountedWorker. They are a translation unit of their own without link-time optimisation: a
// compiler that saw that the results are unused would delete the loops.
#include "measure/work.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stretto::measure {
namespace {

constexpr std::size_t cache_words = (std::size_t{128} << 10) / sizeof(std::uint64_t);
constexpr std::size_t stream_unit_words = 256 / sizeof(std::uint64_t);

std::size_t stream_words() {
  long last_level = -1;
#ifdef _SC_LEVEL3_CACHE_SIZE
  last_level = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  const std::size_t bytes = std::clamp(last_level > 0 ? 4 * static_cast<std::size_t>(last_level) : 0,
                                       std::size_t{32} << 20, std::size_t{512} << 20);
  return bytes / (stream_unit_words * sizeof(std::uint64_t)) * stream_unit_words;
}

/// Sixteen dependent multiply-adds (Knuth's MMIX generator): latency-bound, no memory.
std::uint64_t multiply_adds(std::uint64_t state, std::uint64_t count) {
  for (std::uint64_t unit = 0; unit < count; ++unit) {
    for (int step = 0; step < 16; ++step) state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  }
  return state;
}

/// Sixteen loads per unit. The value loaded is the place of the next load.
std::uint64_t chased_loads(const std::vector<std::uint64_t>& buffer, std::uint64_t place,
                           std::uint64_t count) {
  for (std::uint64_t unit = 0; unit < count; ++unit) {
    for (int step = 0; step < 16; ++step) place = buffer[place];
  }
  return place;
}

/// One ring through all cache lines of the buffer in steps of 17 lines, so that consecutive loads touch
/// distant lines.
std::vector<std::uint64_t> ring() {
  constexpr std::size_t line_words = 8;
  constexpr std::size_t lines = cache_words / line_words;
  std::vector<std::uint64_t> buffer(cache_words);
  for (std::size_t line = 0; line < lines; ++line) {
    buffer[line * line_words] = (line + 17) % lines * line_words;
  }
  return buffer;
}

}  // namespace

struct CountedWorker::Buffers {
  std::uint64_t state = 1;
  std::uint64_t place = 0;
  std::size_t cursor = 0;
  std::vector<std::uint64_t> cache = ring();
  std::vector<std::uint64_t> stream;
};

CountedWorker::CountedWorker() : buffers_(std::make_unique<Buffers>()) {}
CountedWorker::~CountedWorker() = default;

void CountedWorker::work(WorkKind kind, std::uint64_t count) {
  Buffers& own = *buffers_;
  switch (kind) {
    case WorkKind::registers:
      own.state = multiply_adds(own.state, count);
      break;
    case WorkKind::cache:
      own.place = chased_loads(own.cache, own.place, count);
      break;
    case WorkKind::stream: {
      if (own.stream.empty()) own.stream.assign(stream_words(), 1);
      for (std::uint64_t unit = 0; unit < count; ++unit) {
        std::uint64_t* words = own.stream.data() + own.cursor;
        for (std::size_t word = 0; word < stream_unit_words; ++word) words[word] += own.state;
        own.cursor += stream_unit_words;
        if (own.cursor == own.stream.size()) own.cursor = 0;
      }
      break;
    }
  }
}

}  // namespace stretto::measure
