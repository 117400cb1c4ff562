// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/paraver_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "foreign/damaged.hpp"
#include "foreign/text.hpp"

namespace stretto::foreign {
namespace {

/// The nanoseconds in a unit of time; 0: there is none of that name.
std::uint64_t ns_in(std::string_view unit) {
  if (unit == "_ns") return 1;
  if (unit.empty() || unit == "_us") return 1'000;
  if (unit == "_ms") return 1'000'000;
  return unit == "_s" ? 1'000'000'000 : 0;
}

/// The numbers of tasks. An application is that number, and of each task its threads and node in
/// parentheses: `2(1:1,1:1)`. One that does not describe all its tasks is left out.
std::vector<std::int64_t> tasks_in(std::string_view applications) {
  std::vector<std::int64_t> tasks;
  while (!applications.empty()) {
    std::string_view count = take_until(applications, '(');
    const std::string_view each = take_until(applications, ')');
    count.remove_prefix(count.find_last_not_of(decimal_digits) + 1);
    const auto number = whole_number(count);
    if (number && *number == std::ranges::count(each, ':')) tasks.push_back(*number);
  }
  return tasks;
}

bool is_record(std::string_view line, char kind) {
  return line.starts_with(kind) && line.substr(1, 1) == ":";
}

/// Reads the numbers of a line. False: some are none.
bool read_numbers(std::string_view line, std::vector<std::int64_t>& numbers) {
  numbers.clear();
  for (auto left = std::ranges::count(line, ':') + 1; left > 0; --left) {
    const auto number = whole_number(take_until(line, ':'));
    if (!number) return false;
    numbers.push_back(*number);
  }
  return true;
}

void add_communicator(ParaverHeader& header, std::string_view line) {
  constexpr std::size_t before_members = 3;  // application, number and size
  std::vector<std::int64_t> numbers;
  if (!read_numbers(trimmed(line).substr(2), numbers) || numbers.size() <= before_members)
    throw Damaged(fmt::format("'{}' is no communicator", shown(line)));
  std::vector<std::int64_t> members(numbers.begin() + before_members, numbers.end());
  for (std::int64_t& one : members) one = std::max(one, std::int64_t{0}) - 1;
  header.members[{numbers[0], numbers[1]}] = std::move(members);
}

/// Whether a line of events has a call or a collective. A call's site stands in the line of its begin, so
/// others are not needed.
bool has_calls(std::string_view line) {
  return line.find(":5000000") != std::string_view::npos || line.find(":5010000") != std::string_view::npos;
}

}  // namespace

ParaverHeader paraver_header(std::string_view trace) {
  std::string_view line = trimmed(take_until(trace, '\n'));
  ParaverHeader header;
  // The date, the duration with its unit, maybe the nodes with the cores of each, and the applications.
  bool is_right = take_until(line, ')').starts_with("#Paraver (") && take(line, 1) == ":";
  is_right = is_right && !take_digits(line).empty();
  header.ns = ns_in(take_until(line, ':'));
  is_right = is_right && header.ns != 0 && !take_digits(line).empty();
  if (line.starts_with('(')) take_until(line, ')');
  is_right = is_right && take(line, 1) == ":";
  const std::string_view applications = take_digits(line);
  if (!is_right || applications.empty() || take(line, 1) != ":")
    throw Damaged("its first line is no header of Paraver");
  header.tasks = tasks_in(line);
  if (whole_number(applications) != static_cast<std::int64_t>(header.tasks.size())) {
    throw Damaged(
        fmt::format("its header says {} applications and describes {}", applications, header.tasks.size()));
  }
  while (!trace.empty()) {
    line = take_until(trace, '\n');
    if (is_record(line, 'c')) add_communicator(header, line);
    if (is_record(line, '1') || is_record(line, '2') || is_record(line, '3')) break;
  }
  return header;
}

void read_paraver(std::string_view trace, const std::function<void(const ParaverEvent&)>& event,
                  const std::function<void(const ParaverCommunication&)>& communication) {
  constexpr std::size_t before_pairs = 6;
  std::vector<std::int64_t> numbers;
  while (!trace.empty()) {
    const std::string_view line = trace.substr(0, trace.find('\n'));
    const auto require = [&](bool is_right, const char* what) {
      if (!is_right) throw Damaged(fmt::format("'{}' is no {}", shown(line), what));
    };
    if (line.size() == trace.size())
      throw Damaged(fmt::format("it ends within a record, '{}': it is cut off", shown(line)));
    take(trace, line.size() + 1);
    if (is_record(line, '2') && has_calls(line)) {
      require(read_numbers(line, numbers), "record");
      require(numbers.size() > before_pairs && numbers.size() % 2 == 0, "event");
      for (std::size_t at = before_pairs; at < numbers.size(); at += 2) {
        if (paraver::is_read(numbers[at]))
          event({numbers[2], numbers[3], numbers[4], numbers[5], numbers[at], numbers[at + 1]});
      }
    } else if (communication && is_record(line, '3')) {
      ParaverCommunication all{};
      require(read_numbers(line, numbers), "record");
      require(numbers.size() == all.size(), "communication");
      std::ranges::copy(numbers, all.begin());
      communication(all);
    }
  }
}

}  // namespace stretto::foreign
