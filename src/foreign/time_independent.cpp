// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/conversion.hpp"
#include "foreign/damaged.hpp"
#include "foreign/text.hpp"
#include "foreign/time_independent_rank.hpp"

namespace stretto::foreign {
namespace {

namespace fs = std::filesystem;

bool ends_with_txt(const fs::path& file) { return file.filename().string().ends_with(".txt"); }

/// The first line with text; empty where there is none.
std::string first_line(const fs::path& file) {
  constexpr std::size_t head_bytes = 4096;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  std::string head(head_bytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  for (std::string_view rest = head; !rest.empty();) {
    const std::string_view line = trimmed(take_until(rest, '\n'));
    if (!line.empty() && !line.starts_with('#')) return std::string(line);
  }
  return {};
}

bool is_action(std::string_view line) {
  const bool has_rank = is_natural(take_word(line));
  return has_rank && action_named(in_lower_case(take_word(line))) != nullptr;
}

bool is_name(std::string_view line) {
  return line.ends_with(".txt") && take_word(line).size() > 0 && line.empty();
}

/// The files with actions of a directory, by name.
std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& one : fs::directory_iterator(directory)) {
    if (ends_with_txt(one.path()) && is_action(first_line(one.path()))) files.push_back(one.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Names of an index are relative to its directory, or to the current one.
std::vector<fs::path> files_of_index(const fs::path& index) {
  constexpr std::size_t most_shown = 200;
  const MappedFile file(index);
  std::vector<fs::path> files;
  for (std::string_view rest = text_of(file); !rest.empty();) {
    const std::string_view name = trimmed(take_until(rest, '\n'));
    if (name.empty()) continue;
    std::error_code error;  // such as a name that is too long
    fs::path found = index.parent_path() / name;
    if (!fs::is_regular_file(found, error)) found = name;
    if (!fs::is_regular_file(found, error)) {
      throw Damaged(fmt::format("{}: names {}, which is not there", index.string(), shown(name, most_shown)));
    }
    files.push_back(found);
  }
  return files;
}

/// Calls `take` with the rank of each action of a file, and what stands behind it. Throws Damaged with the
/// line.
void for_each_action(const fs::path& path, const std::function<void(std::size_t, std::string_view)>& take) {
  constexpr std::size_t most_digits = 7;
  const MappedFile file(path);
  std::size_t number = 0;
  for (std::string_view rest = text_of(file); !rest.empty();) {
    std::string_view line = take_until(rest, '\n');
    ++number;
    const std::string_view rank = take_word(line);
    if (rank.empty() || rank.starts_with('#')) continue;
    try {
      if (!is_natural(rank) || rank.size() > most_digits) throw Damaged("begins with no rank");
      if (trimmed(line).empty()) throw Damaged("has no action: it is cut off");
      take(static_cast<std::size_t>(*whole_number(rank)), line);
    } catch (const Damaged& error) {
      throw Damaged(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
  }
}

/// The number of ranks of a file with the actions of all.
std::size_t count_ranks(const fs::path& file) {
  std::vector<bool> found;
  for_each_action(file, [&](std::size_t rank, std::string_view) {
    if (found.size() <= rank) found.resize(rank + 1);
    found[rank] = true;
  });
  if (found.empty()) throw Damaged(fmt::format("{}: has no action", file.string()));
  const auto missing = std::ranges::find(found, false);
  if (missing != found.end())
    throw Damaged(fmt::format("{}: has no action of rank {}", file.string(), missing - found.begin()));
  return found.size();
}

}  // namespace

bool is_time_independent(const fs::path& source) {
  std::error_code ignored;
  if (fs::is_directory(source, ignored)) return !files_in(source).empty();
  const std::string line = first_line(source);
  return is_action(line) || (is_name(line) && ends_with_txt(source));
}

LeftOut convert_time_independent(const fs::path& source, const fs::path& directory, double flops_rate) {
  std::vector<fs::path> files{source};
  if (fs::is_directory(source)) {
    files = files_in(source);
  } else if (is_name(first_line(source))) {
    files = files_of_index(source);
  }
  if (files.empty()) throw Damaged(fmt::format("{}: has no action", source.string()));
  std::vector<std::int32_t> members(files.size() > 1 ? files.size() : count_ranks(files.front()));
  std::iota(members.begin(), members.end(), 0);
  if (files.size() == 1) allow_open_files(members.size());
  TimeIndependentSource of{.origin = {.file = source.filename().string(), .format = "SimGrid"},
                           .directory = directory,
                           .flops_rate = flops_rate,
                           .world = {.members = members}};
  std::deque<TimeIndependentRank> ranks;
  for (const std::int32_t rank : members) ranks.emplace_back(of, rank);
  ActionWords words;
  for (const fs::path& file : files) {
    for_each_action(file, [&](std::size_t rank, std::string_view line) {
      if (rank >= ranks.size()) throw Damaged(fmt::format("rank {} of {}", rank, ranks.size()));
      words.read(line);
      ranks[rank].take(words);
    });
  }
  for (const TimeIndependentRank& one : ranks) one.finish();
  return of.left_out;
}

}  // namespace stretto::foreign
