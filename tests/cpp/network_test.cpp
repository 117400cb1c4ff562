// SPDX-License-Identifier: BSD-3-Clause
// The text form of a network, and texts that are refused.
#include "network/network.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "refusal.hpp"

namespace stretto::replay::network_test {
namespace {

TEST(Network, TakesSecondsAndSuffixes) {
  const network::Network network = network::network_from("L=2us,o=1e-6,g=700ns,G=0.2ns,O=1ps,S=64KiB");
  const network::LogGp& loggp = network.ranges.at(0).loggp;
  EXPECT_DOUBLE_EQ(loggp.latency_s, 2e-6);
  EXPECT_DOUBLE_EQ(loggp.overhead_send_s, 1e-6);
  EXPECT_DOUBLE_EQ(loggp.overhead_receive_s, 1e-6);
  EXPECT_DOUBLE_EQ(loggp.gap_s, 7e-7);
  EXPECT_DOUBLE_EQ(loggp.gap_s_per_byte, 2e-10);
  EXPECT_DOUBLE_EQ(network.overhead_s_per_byte, 1e-12);
  EXPECT_EQ(network.eager_bytes, 65536U);
}

TEST(Network, RangesInheritOmittedParameters) {
  const network::Network network =
      network::network_from("L=1us,o_s=2us,o_r=3us;from=1KiB,L=5us;from=1MiB,g=1us");
  EXPECT_EQ(network.parameters(0).latency_s, 1e-6);
  EXPECT_EQ(network.parameters(1023).latency_s, 1e-6);
  EXPECT_DOUBLE_EQ(network.parameters(1024).latency_s, 5e-6);
  EXPECT_DOUBLE_EQ(network.parameters(1024).overhead_receive_s, 3e-6);
  EXPECT_DOUBLE_EQ(network.parameters(1U << 20U).latency_s, 5e-6);
  EXPECT_EQ(network.parameters(1U << 20U).gap_s, 1e-6);
}

std::string refusal(std::string_view spec) {
  return testing::refusal_of<std::invalid_argument>([&] { return network::network_from(spec); });
}

TEST(Network, RefusesWithTheKeyAndACorrection) {
  EXPECT_EQ(refusal(""), "--loggp: '': write KEY=VALUE, such as L=1us");
  EXPECT_EQ(refusal("L"), "--loggp: 'L': write KEY=VALUE, such as L=1us");
  EXPECT_EQ(refusal("L=1us,"), "--loggp: '': write KEY=VALUE, such as L=1us");
  EXPECT_EQ(refusal("L=1us,L=2us"), "--loggp: L is given twice: keep one");
  EXPECT_EQ(refusal("l=1us"),
            "--loggp: unknown key 'l': the keys are L, o, o_s, o_r, g, G, O, S, B, node, L_node");
  for (const char* const value : {"-1", "nan", "inf", "1e300", "1h", "us", ""}) {
    EXPECT_EQ(refusal(std::string("L=") + value),
              std::string("--loggp: L=") + value + ": give a time of 0 s to 1e6 s, such as L=1us or L=1e-6");
  }
  EXPECT_EQ(refusal("G=2"), "--loggp: G=2: give a time a byte of 0 s to 1 s, such as G=1us or G=1e-6");
  EXPECT_EQ(refusal("S=0.5"), "--loggp: S=0.5: give a whole number of bytes, such as S=64KiB");
  EXPECT_EQ(refusal("o=1us,o_s=1us"), "--loggp: o stands for both o_s and o_r: give it or those");
  EXPECT_EQ(refusal("L=1us;L=2us"),
            "--loggp: a range after ';' begins with from=SIZE, a measured size with at=SIZE: say where");
  EXPECT_EQ(refusal("L=1us;from=8,L=2us;from=8,L=3us"),
            "--loggp: from= and at= have to grow from range to range");
  EXPECT_EQ(refusal("L=1us;from=8,S=1"), "--loggp: S is for the first range: put it there");
  EXPECT_EQ(refusal("L=1us,node=4"),
            "--loggp: node=RANKS and L_node=LATENCY belong together: give both or none");
  EXPECT_EQ(refusal("node=0,L_node=1us"), "--loggp: node=0: give a number of ranks, such as node=4");
  EXPECT_EQ(refusal("L=1us;from=8,node=4"), "--loggp: node is for the first range: put it there");
  EXPECT_EQ(refusal("L=1us,from=8"), "--loggp: from is for later ranges: put it there");
}

}  // namespace
}  // namespace stretto::replay::network_test
