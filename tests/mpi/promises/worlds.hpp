// SPDX-License-Identifier: BSD-3-Clause
// The worlds in which the promises are tested: what chooses a path, forced and chosen, and the limits of
// sizes.
#pragma once

#include <cstddef>
#include <stretto/options.hpp>
#include <string>
#include <vector>

namespace stretto::testing::promises {

struct World {
  const char* name;
  const char* path;  // of its puts and gets: a Path, or "chosen"
  Options options;
  bool own_memory = false;  // the region is over memory of the program
};

/// Ranks are treated as nodes of one rank each where the path is one between nodes.
inline std::vector<World> worlds() {
  return {
      {"direct_forced", "direct", {.path = Path::direct}},
      {"direct_chosen", "direct", {}},
      {"rma_forced", "rma", {.path = Path::rma, .node_ranks = 1}},
      {"rma_chosen", "rma", {.contiguous = Path::rma, .node_ranks = 1}},
      {"rma_few_buffers", "rma", {.contiguous = Path::rma, .outstanding = 3, .contexts = 2, .node_ranks = 1}},
      {"rma_with_timeout", "rma", {.contiguous = Path::rma, .node_ranks = 1, .timeout_s = 60}},
      {"rma_own_memory", "rma", {.contiguous = Path::rma}, true},
      {"message_forced", "message", {.path = Path::message}},
      {"message_chosen", "message", {.contiguous = Path::message, .node_ranks = 1}},
      {"message_with_timeout", "message", {.contiguous = Path::message, .node_ranks = 1, .timeout_s = 60}},
      {"message_own_memory", "message", {.contiguous = Path::message}, true},
      {"chosen", "chosen", {.node_ranks = 1}},
  };
}

/// 8 B, one below and one above each limit, and 4 MiB. The limits are a segment, from which on a put needs
/// several packets, and two segments, from which on data is large. One is one word.
inline std::vector<std::size_t> sizes(std::size_t segment) {
  return {8, segment - 8, segment + 8, 2 * segment - 8, 2 * segment + 8, std::size_t{4} << 20};
}

}  // namespace stretto::testing::promises
