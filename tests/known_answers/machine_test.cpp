// SPDX-License-Identifier: BSD-3-Clause
// The text form of a virtual machine. An invalid key is refused with its name and a correction.
#include "known_answers/machine.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace stretto::known_answers {
namespace {

TEST(VirtualMachine, ReadsEveryKey) {
  const VirtualMachine machine = virtual_machine_from(
      "L=5us,o_s=1us,o_r=1.5us,g=2us,g_queue=3e-6,G=1ns,break=64KiB,L2=7us,o_s2=2us,o_r2=4us,g2=6us,G2=500ps,"
      "overlap=0.5,steal=0.25,noise=0.05,seed=18446744073709551615,work=2ns");
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
  EXPECT_EQ(machine.seed, 18446744073709551615U);
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

struct Hostile {
  const char* spec;
  const char* message_part;  // a part of the expected message
};

class VirtualMachineRefuses : public ::testing::TestWithParam<Hostile> {};

TEST_P(VirtualMachineRefuses, WithTheNameAndACorrection) {
  try {
    (void)virtual_machine_from(GetParam().spec);
    FAIL() << "accepted " << GetParam().spec;
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(GetParam().message_part), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Specs, VirtualMachineRefuses,
    ::testing::Values(Hostile{"L=-5us", "L=-5us: give a time"}, Hostile{"o_s=nan", "o_s=5us"},
                      Hostile{"o_r=inf", "o_r=5us"}, Hostile{"G=1e400", "G=5us"},
                      Hostile{"g=-nan(1)", "g=5us"}, Hostile{"L=", "L=5us"}, Hostile{"L", "write L=5us"},
                      Hostile{"L=5 us", "L=5us"}, Hostile{"L=5parsec", "L=5us"}, Hostile{"L=0x10", "L=5us"},
                      Hostile{"latency=5us", "latency"}, Hostile{"=5us", "unknown key ''"},
                      Hostile{"L=5us,", "comma"}, Hostile{",L=5us", "comma"},
                      Hostile{"L=5us,,G=1ns", "comma"}, Hostile{"L=5us,L=6us", "L is given twice"},
                      Hostile{"overlap=1.01", "from 0 to 1"}, Hostile{"overlap=-0.1", "overlap=0.5"},
                      Hostile{"steal=2", "steal=0.5"}, Hostile{"steal=50%", "steal=0.5"},
                      Hostile{"noise=-0.05", "noise=0.5"}, Hostile{"noise=nan", "noise=0.5"},
                      Hostile{"seed=-1", "seed=1"}, Hostile{"seed=1.5", "seed=1"},
                      Hostile{"seed=18446744073709551616", "seed=1"}, Hostile{"break=0", "break=64KiB"},
                      Hostile{"break=0.5", "break=64KiB"}, Hostile{"break=64kib", "break=64KiB"},
                      Hostile{"break=1e300", "break=64KiB"}, Hostile{"L2=5us", "add the break"},
                      Hostile{"work=-1", "work=5us"}));

}  // namespace
}  // namespace stretto::known_answers
