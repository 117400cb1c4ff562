// SPDX-License-Identifier: BSD-3-Clause
// Shared by the tests of the runtime: the settings that each runs under, and patterns of bytes.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <stretto/runtime.hpp>
#include <string>
#include <vector>

namespace stretto::testing {

/// The options of runtimes that must behave alike. Segments are small, so that a few kilobytes are many
/// packets.
struct Setting {
  const char* name;
  Options options;
};

inline void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.name; }

inline std::vector<Setting> settings() {
#ifdef STRETTO_SIMGRID
  const Progress with_thread = Progress::poll;  // no threads there
#else
  const Progress with_thread = Progress::thread;
#endif
  std::vector<Setting> all{
      {"chosen", {.progress = with_thread}},
      {"poll", {.progress = Progress::poll}},
      {"rma", {.progress = Progress::poll, .path = Path::rma}},
      {"message",
       {.progress = with_thread,
        .path = Path::message,
        .segment_bytes = 1024,
        .outstanding = 3,
        .contexts = 3}},
      {"message_poll",
       {.progress = Progress::poll, .path = Path::message, .segment_bytes = 1024, .outstanding = 8}},
      {"nodes_of_2",
       {.progress = with_thread, .segment_bytes = 1024, .outstanding = 8, .contexts = 2, .node_ranks = 2}},
      {"nodes_of_1",
       {.progress = Progress::poll, .contiguous = Path::rma, .outstanding = 8, .node_ranks = 1}},
  };
  return all;
}

inline std::string name_of(const ::testing::TestParamInfo<Setting>& info) { return info.param.name; }

/// Bytes that differ by rank, place and seed.
inline std::byte pattern(int rank, std::size_t place, unsigned seed) {
  std::uint64_t x =
      place * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(rank) * 0xBF58476D1CE4E5B9U + seed;
  x ^= x >> 29U;
  x *= 0x94D049BB133111EBU;
  return static_cast<std::byte>(x >> 56U);
}

inline std::vector<std::byte> patterned(int rank, std::size_t size_bytes, unsigned seed) {
  std::vector<std::byte> bytes(size_bytes);
  for (std::size_t i = 0; i < size_bytes; ++i) bytes[i] = pattern(rank, i, seed);
  return bytes;
}

class EverySetting : public ::testing::TestWithParam<Setting> {
 protected:
  [[nodiscard]] const Options& options() const { return GetParam().options; }
};

}  // namespace stretto::testing
