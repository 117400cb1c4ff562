// SPDX-License-Identifier: BSD-3-Clause
// GOAL text as LogGOPSim's tools write it, and refused text, with its line and a correction.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "replay_schedules.hpp"

namespace stretto::replay::goal_text_test {
namespace {

std::string refusal(std::string_view text) {
  return testing::refusal_of<GoalError>([&] { return parse_goal_text(text, "x.goal"); });
}

TEST(GoalText, HoldsEveryFormOfAnOperation) {
  const Schedule schedule = parse_goal_text(
      "num_ranks 2\n\nrank 0 {\nl1: send 8b to 1 tag 5 cpu 1 nic 2\nl2: calc 100 cpu 3\nl3: recv 7b from -1 "
      "tag -1\n"
      "l3 requires l1\nl3 irequires l2\n}\n\nrank 1 {\nrecv 8b from 0\n}\n",
      "x");
  ASSERT_EQ(schedule.ranks(), 2U);
  ASSERT_EQ(schedule.operations(), 4U);
  const ScheduleOperation sent = schedule.operation(0);
  EXPECT_EQ(sent.kind, OperationKind::send);
  EXPECT_EQ(std::tuple(sent.amount, sent.peer, sent.tag), std::tuple(8U, 1U, 5U));
  EXPECT_EQ(std::tuple(sent.cpu, sent.nic, sent.line), std::tuple(1, 2, 4U));
  const ScheduleOperation calculated = schedule.operation(1);
  EXPECT_EQ(calculated.kind, OperationKind::calculate);
  EXPECT_EQ(std::tuple(calculated.amount, calculated.cpu), std::tuple(100U, 3));
  const ScheduleOperation received = schedule.operation(2);
  EXPECT_EQ(received.kind, OperationKind::receive);
  EXPECT_EQ(std::tuple(received.amount, received.peer, received.tag), std::tuple(7U, any, any));
  EXPECT_EQ(schedule.operation(3).tag, 0U);
  EXPECT_EQ(schedule.dependencies, (SpillableColumn<std::uint32_t>{0, 0, 2, 0}));
  EXPECT_EQ(schedule.dependents, (SpillableColumn<std::uint32_t>{2U << 1U, 2U << 1U | 1U}));
  EXPECT_EQ(schedule.rank_of(2), 0U);
  EXPECT_EQ(schedule.rank_of(3), 1U);
}

TEST(GoalText, CommentsBlanksAndSemicolonsAreIgnored) {
  const Schedule schedule = parse_goal_text(
      "/* made\n by hand */ num_ranks 1 // one\r\nrank 0\n{ a: calc 1; b: calc 2 ; b requires a }\t\n", "x");
  EXPECT_EQ(schedule.operations(), 2U);
  EXPECT_EQ(schedule.dependencies[1], 1U);
}

TEST(GoalText, LabelsBelongToOneRank) {
  const Schedule schedule = parse_goal_text(
      "num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\nb: calc 1\na: calc 2\nb requires a\n}\n", "x");
  EXPECT_EQ(schedule.dependents, (SpillableColumn<std::uint32_t>{1U << 1U}));
}

TEST(GoalText, ManyLabelsAreFound) {
  std::string text = "num_ranks 1\nrank 0 {\n";
  for (int i = 0; i < 5000; ++i) text += "label_" + std::to_string(i * 7919) + ": calc 1\n";
  for (int i = 1; i < 5000; ++i) {
    text += "label_" + std::to_string(i * 7919) + " requires label_" + std::to_string((i - 1) * 7919) + "\n";
  }
  const Schedule schedule = parse_goal_text(text + "}\n", "x");
  for (std::uint32_t i = 0; i + 1 < 5000; ++i) EXPECT_EQ(schedule.dependents[i], (i + 1) << 1U);
}

struct Refused {
  const char* text;
  const char* message;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.message; }

class GoalRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(GoalRefuses, WithLineAndCorrection) { EXPECT_EQ(refusal(GetParam().text), GetParam().message); }

const Refused refusals[] = {
    {"", "x.goal:1: expected 'num_ranks N' instead of the end of the file"},
    {"rank 0 {\n}", "x.goal:1: expected 'num_ranks N' instead of 'rank'"},
    {"num_ranks 0\n", "x.goal:1: num_ranks 0: give at least 1"},
    {"num_ranks -1\n", "x.goal:1: expected the number of ranks instead of '-1'"},
    {"num_ranks 4000000000\nrank 0 {\n}\n", "x.goal:1: '4000000000' is too large: 16777216 at most"},
    {"num_ranks 16777216\nrank 0 {\n}\n",
     "x.goal:1: num_ranks 16777216: the file is too short to have so many"},
    {"num_ranks 2\nrank 0 {\n}\n", "x.goal:4: rank 1 is missing: num_ranks says 2"},
    {"num_ranks 2\nrank 1 {\n}\n", "x.goal:2: rank 1 where rank 0 should be: give every rank once, in order"},
    {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n",
     "x.goal:4: rank 0 where rank 1 should be: give every rank once, in order"},
    {"num_ranks 1\nrank 7 {\n}\n", "x.goal:2: rank 7: num_ranks says 1"},
    {"num_ranks 1\nrank 0 {\ncalc 5\n",
     "x.goal:4: expected an operation, a label or '}' instead of the end of the file"},
    {"num_ranks 1\nrank 0 {\n/* calc 5\n}\n", "x.goal:3: this comment has no end: write */"},
    {"num_ranks 1\nrank 0 {\ncalc\n}\n",
     "x.goal:3: expected the nanoseconds of a calc instead of the end of the line"},
    {"num_ranks 1\nrank 0 {\ncalc -5\n}\n", "x.goal:3: expected the nanoseconds of a calc instead of '-'"},
    {"num_ranks 1\nrank 0 {\ncalc 99999999999999999999999\n}\n",
     "x.goal:3: '99999999999999999999999' is too large: 9007199254740992 at most"},
    {"num_ranks 1\nrank 0 {\ncalc 5 nic 1\n}\n", "x.goal:3: expected cpu, once, instead of 'nic'"},
    {"num_ranks 1\nrank 0 {\ncalc 5 cpu 256\n}\n", "x.goal:3: '256' is too large: 255 at most"},
    {"num_ranks 1\nrank 0 {\ncalc 5 calc 6\n}\n", "x.goal:3: expected cpu, once, instead of 'calc'"},
    {"num_ranks 1\nrank 0 {\nsend 8 to 0\n}\n", "x.goal:3: expected 'b' after the size instead of 'to'"},
    {"num_ranks 1\nrank 0 {\nsend 8b from 0\n}\n", "x.goal:3: expected 'to RANK' instead of 'from'"},
    {"num_ranks 1\nrank 0 {\nsend 8b to -1\n}\n", "x.goal:3: expected a rank instead of '-1'"},
    {"num_ranks 1\nrank 0 {\nsend 8b to 1\n}\n", "x.goal:3: there is no rank '1': num_ranks says 1"},
    {"num_ranks 1\nrank 0 {\nsend 8b to 0 tag -1\n}\n", "x.goal:3: expected a tag instead of '-1'"},
    {"num_ranks 1\nrank 0 {\nsend 8b to 0 tag 4294967295\n}\n",
     "x.goal:3: '4294967295' is too large: 4294967294 at most"},
    {"num_ranks 1\nrank 0 {\nrecv 8b from 0 tag 1 tag 2\n}\n",
     "x.goal:3: expected tag, cpu or nic, each once, instead of 'tag'"},
    {"num_ranks 1\nrank 0 {\nput 8b to 0\n}\n", "x.goal:3: 'put' is no operation: write send, recv or calc"},
    {"num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\n}\n",
     "x.goal:4: label 'a' is used twice in rank 0: give another one"},
    {"num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}\n",
     "x.goal:4: rank 0 has no operation 'b' above: label one"},
    {"num_ranks 1\nrank 0 {\na: calc 1\nb requires a\n}\n",
     "x.goal:4: rank 0 has no operation 'b' above: label one"},
    {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires\n}\n",
     "x.goal:5: expected a label instead of the end of the line"},
    {"num_ranks 1\nrank 0 {\na: calc 1\na requires a\n}\n",
     "x.goal:3: the dependencies of rank 0 lead from this operation back to it: take one of them away"},
    {"num_ranks 1\nrank 0 {\nz: calc 1\na: calc 1\nb: calc 1\na requires b\nb irequires a\nz requires a\n}\n",
     "x.goal:4: the dependencies of rank 0 lead from this operation back to it: take one of them away"},
    {"num_ranks 1\nrank 0 {\n\x01\xff\n}\n",
     "x.goal:3: expected an operation, a label or '}' instead of '?'"},
    {"num_ranks 1\nrank 0 {\n}\n}\n", "x.goal:4: expected the end of the file instead of '}'"},
};

INSTANTIATE_TEST_SUITE_P(All, GoalRefuses, ::testing::ValuesIn(refusals));

TEST(GoalText, QuotedTextIsShort) {
  const std::string message = refusal("num_ranks 1\nrank 0 {\n" + std::string(100000, 'x') + " 5\n}\n");
  EXPECT_LT(message.size(), 120U);
}

TEST(GoalText, LabelsAreFoundByLine) {
  const char* const text = "num_ranks 1\nrank 0 {\n l7: calc 1\ncalc 2\n}\n";
  EXPECT_EQ(label_at(text, 3), "l7");
  EXPECT_EQ(label_at(text, 4), "");
  EXPECT_EQ(label_at(text, 40), "");
}

}  // namespace
}  // namespace stretto::replay::goal_text_test
