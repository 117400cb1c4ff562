// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes schedules: GOAL text as LogGOPSim's txt2bin reads it, and the binary that txt2bin writes
// (spcl/LogGOPSim, Parser.hpp and Goal.hpp). docs/replay.md documents both formats.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "replay/schedule.hpp"

namespace stretto::replay {

/// One line: `FILE:LINE: the error; its remedy`. For a binary it names the rank and operation instead of
/// the line.
class GoalError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Reads text or binary, distinguished by the beginning of the file. Throws GoalError.
[[nodiscard]] Schedule read_goal(const std::filesystem::path& file);

/// `name` is the name of the file in errors. Throws GoalError.
[[nodiscard]] Schedule parse_goal_text(std::string_view text, std::string_view name);
[[nodiscard]] Schedule parse_goal_binary(std::string_view bytes, std::string_view name);
[[nodiscard]] bool is_goal_binary(std::string_view bytes);

/// Writes text from which read_goal() gives the same schedule, except for the line numbers.
[[nodiscard]] std::string to_goal_text(const Schedule& schedule);
[[nodiscard]] std::string to_goal_binary(const Schedule& schedule);

/// The label at the beginning of a line (from 1) of GOAL text; empty: none.
[[nodiscard]] std::string label_at(std::string_view text, std::uint32_t line);

/// The content of the file. Throws GoalError when it is not a readable regular file.
[[nodiscard]] std::string read_whole(const std::filesystem::path& file);

}  // namespace stretto::replay
