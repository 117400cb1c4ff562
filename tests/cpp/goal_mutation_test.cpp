// SPDX-License-Identifier: BSD-3-Clause
// Randomly damaged files: each is read or refused with one line, and every schedule that is read can be
// replayed. Under the sanitizers this shows that no input causes an access out of bounds. STRETTO_FUZZ_INPUTS
// is the number of inputs.
#include <gtest/gtest.h>

#include "mutator.hpp"
#include "replay_schedules.hpp"
#include "replayable.hpp"

namespace stretto::replay {
namespace {

const char* const seeds[] = {
    "num_ranks 3\nrank 0 {\nl1: send 64b to 1 tag 5 cpu 1 nic 0\nl2: recv 8b from 2 tag 1\nl3: calc 700 cpu "
    "1\n"
    "l3 requires l2\nl3 irequires l1\n}\nrank 1 {\na: recv 64b from -1 tag -1\nb: send 64b to 2\nb requires "
    "a\n}\n"
    "rank 2 {\nr: recv 64b from 1 tag 0\ns: send 8b to 0 tag 1\ns requires r\n}\n",
    "/* ring */ num_ranks 2 // two\nrank 0 { s: send 1b to 1; r: recv 1b from 1 }\n"
    "rank 1 { r: recv 1b from 0; s: send 1b to 0; s requires r }\n",
};

const std::vector<std::string> pieces = {"requires",
                                         "irequires",
                                         "-1",
                                         "}",
                                         "{",
                                         "rank 1 {",
                                         "\n",
                                         "4294967295",
                                         "l1:",
                                         "l1",
                                         "send 8b to 0",
                                         "recv 8b from 0",
                                         "calc",
                                         "18446744073709551616",
                                         "/*",
                                         "*/",
                                         "//",
                                         "cpu 255",
                                         "nic 255",
                                         "tag 4294967294",
                                         "num_ranks 9",
                                         ";",
                                         std::string(1, '\0'),
                                         "\xff",
                                         "9007199254740992"};

bool accepted(const std::string& bytes, bool binary) {
  static const network::Network network = network::network_from("L=2us,o=1us,g=1us,G=1ns,S=32");
  return is_accepted(
      [&] { replay_or_tell(binary ? parse_goal_binary(bytes, "x") : parse_goal_text(bytes, "x"), network); });
}

TEST(Mutations, OfTextAreReadOrRefused) {
  testing::Mutator mutator(pieces);
  const int inputs = testing::fuzz_inputs(20'000);
  int read = 0;
  for (int i = 0; i < inputs; ++i) {
    read += accepted(mutator.mutate(seeds[static_cast<std::size_t>(i) % std::size(seeds)]), false) ? 1 : 0;
  }
  // Some inputs are read and some refused; otherwise the mutations test nothing.
  EXPECT_GT(read, inputs / 100);
  EXPECT_LT(read, inputs / 2);
}

TEST(Mutations, OfBinariesAreReadOrRefused) {
  testing::Mutator mutator(pieces);
  const int inputs = testing::fuzz_inputs(20'000);
  int read = 0;
  for (int i = 0; i < inputs; ++i) {
    const char* const seed = seeds[static_cast<std::size_t>(i) % std::size(seeds)];
    read += accepted(mutator.mutate(to_goal_binary(parse_goal_text(seed, "seed"))), true) ? 1 : 0;
  }
  EXPECT_GT(read, inputs / 100);
  EXPECT_LT(read, inputs / 2);
}

}  // namespace
}  // namespace stretto::replay
