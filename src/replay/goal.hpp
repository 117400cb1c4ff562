// SPDX-License-Identifier: BSD-3-Clause
// Schedules in and out of files: GOAL text as LogGOPSim's txt2bin reads it, and the binary that it makes
// of it (spcl/LogGOPSim, Parser.hpp and Goal.hpp). docs/replay.md has both formats.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "replay/schedule.hpp"

namespace stretto::replay {

/// One line: `FILE:LINE: what is wrong; the mend`. A binary has no lines, but ranks and operations.
class GoalError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Text or binary, distinguished by how the file begins. Throws GoalError.
[[nodiscard]] Schedule read_goal(const std::filesystem::path& file);

/// `name` is what errors call the file. Throws GoalError.
[[nodiscard]] Schedule parse_goal_text(std::string_view text, std::string_view name);
[[nodiscard]] Schedule parse_goal_binary(std::string_view bytes, std::string_view name);
[[nodiscard]] bool is_goal_binary(std::string_view bytes);

/// What read_goal() makes the same schedule of (but for the lines).
[[nodiscard]] std::string to_goal_text(const Schedule& schedule);
[[nodiscard]] std::string to_goal_binary(const Schedule& schedule);

/// The label that stands at the beginning of a line (from 1) of GOAL text; empty: none.
[[nodiscard]] std::string label_at(std::string_view text, std::uint32_t line);

/// The whole file. Throws GoalError when it cannot be read, or is no file.
[[nodiscard]] std::string read_whole(const std::filesystem::path& file);

}  // namespace stretto::replay
