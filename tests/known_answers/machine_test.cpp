// SPDX-License-Identifier: BSD-3-Clause
// The text form of a virtual machine.
#include "known_answers/machine.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace stretto::known_answers {
namespace {

TEST(VirtualMachine, ReadsEveryKey) {
  const VirtualMachine machine = virtual_machine_from(
      "L=5us,o_s=1us,o_r=1.5us,g=2us,g_queue=3e-6,G=1ns,break=64KiB,L2=7us,o_s2=2us,o_r2=4us,g2=6us,G2=500ps,"
      "overlap=0.5,steal=0.25,noise=0.05,seed=4294967297,work=2ns");
  EXPECT_DOUBLE_EQ(machine.below.latency_s, 5e-6);
  EXPECT_DOUBLE_EQ(machine.below.overhead_send_s, 1e-6);
  EXPECT_DOUBLE_EQ(machine.below.overhead_receive_s, 1.5e-6);
  EXPECT_DOUBLE_EQ(machine.below.gap_s, 2e-6);
  EXPECT_DOUBLE_EQ(machine.below.gap_queue_s, 3e-6);
  EXPECT_DOUBLE_EQ(machine.below.gap_s_per_byte, 1e-9);
  EXPECT_EQ(machine.break_bytes, 65536U);
  EXPECT_DOUBLE_EQ(machine.from_break.latency_s, 7e-6);
  EXPECT_DOUBLE_EQ(machine.from_break.overhead_send_s, 2e-6);
  EXPECT_DOUBLE_EQ(machine.from_break.overhead_receive_s, 4e-6);
  EXPECT_DOUBLE_EQ(machine.from_break.gap_s, 6e-6);
  EXPECT_DOUBLE_EQ(machine.from_break.gap_queue_s, 3e-6);
  EXPECT_DOUBLE_EQ(machine.from_break.gap_s_per_byte, 5e-10);
  EXPECT_DOUBLE_EQ(machine.overlap, 0.5);
  EXPECT_DOUBLE_EQ(machine.steal, 0.25);
  EXPECT_DOUBLE_EQ(machine.noise, 0.05);
  EXPECT_EQ(machine.seed, 4294967297U);
  EXPECT_DOUBLE_EQ(machine.work_s_per_count, 2e-9);
}

TEST(VirtualMachine, ParametersAboveTheBreakDefaultToThoseBelow) {
  const VirtualMachine machine = virtual_machine_from("G2=2ns,break=1KiB,L=5us,G=1ns");
  EXPECT_DOUBLE_EQ(machine.parameters(1023).gap_s_per_byte, 1e-9);
  EXPECT_DOUBLE_EQ(machine.parameters(1024).gap_s_per_byte, 2e-9);
  EXPECT_DOUBLE_EQ(machine.parameters(1024).latency_s, 5e-6);
}

TEST(VirtualMachine, EmptyIsIdeal) {
  const VirtualMachine machine = virtual_machine_from("");
  EXPECT_EQ(machine.below.latency_s, 0);
  EXPECT_EQ(machine.overlap, 1);
  EXPECT_EQ(machine.steal, 0);
  EXPECT_EQ(machine.noise, 0);
  EXPECT_DOUBLE_EQ(machine.work_s_per_count, 1e-9);
}

TEST(VirtualMachine, RefusesWhatIsNoSettingByItsText) {
  for (const std::string wrong : {"L", "L=", "L=5parsec", "break=5us", "latency=5us"}) {
    try {
      (void)virtual_machine_from("G=1ns," + wrong);
      FAIL() << "accepted " << wrong;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(wrong.substr(0, wrong.find('='))), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace stretto::known_answers
