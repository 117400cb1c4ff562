// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/time_independent_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string>

#include "foreign/conversion.hpp"
#include "foreign/damaged.hpp"
#include "foreign/text.hpp"

namespace stretto::foreign {
namespace {

/// Sizes of the datatypes by their numbers in SimGrid 3.32.
constexpr std::array<std::uint8_t, 51> datatype_bytes{
    8, 4,  1,  2,  8, 4,  1,  8,  1, 1,  2,  4,  8,  8, 16, 4, 1,  // MPI_DOUBLE, MPI_INT, ..., MPI_C_BOOL
    1, 2,  4,  8,  1, 2,  4,  8,  8, 16, 32, 8,  8,                // MPI_INT8_T, ..., MPI_OFFSET
    8, 16, 16, 8,  8, 8,  16, 16,                                  // MPI_FLOAT_INT, ..., MPI_2LONG
    4, 4,  8,  16, 8, 16, 32, 4,  2, 4,  8,  16, 32,               // Fortran's, and MPI_LONG_DOUBLE_INT
};

constexpr Action message_action(const char* name, const char* function, Moved moved, bool is_blocking) {
  return {name, Action::message, function, moved, is_blocking};
}

constexpr Action by_all(const char* name, const char* function, ActionBytes sent = {},
                        ActionBytes received = {}, ActionPlace root = {}, ActionPlace flops = {}) {
  return {name, Action::collective, function, Moved::by_all, true, sent, received, root, flops};
}

constexpr auto one = ActionBytes::one;
constexpr auto each = ActionBytes::each;
constexpr auto equal = ActionBytes::equal;
constexpr ActionPlace no_root;
constexpr Action actions[] = {
    {"init", Action::begin, "MPI_Init"},
    {"finalize", Action::end, "MPI_Finalize"},
    {"compute", Action::compute},
    {"sleep", Action::sleep},
    {"wait", Action::wait, "MPI_Wait"},
    {"waitall", Action::waitall, "MPI_Waitall"},
    {"test", Action::test, "MPI_Test"},
    {"comm_size"},
    {"comm_dup"},
    {"comm_split"},
    {"location"},
    message_action("send", "MPI_Send", Moved::sent, true),
    message_action("ssend", "MPI_Ssend", Moved::sent, true),
    message_action("isend", "MPI_Isend", Moved::sent, false),
    message_action("issend", "MPI_Issend", Moved::sent, false),
    message_action("recv", "MPI_Recv", Moved::received, true),
    message_action("irecv", "MPI_Irecv", Moved::received, false),
    by_all("barrier", "MPI_Barrier"),
    by_all("bcast", "MPI_Bcast", {one, 0, 2}, {}, 1),
    by_all("reduce", "MPI_Reduce", {one, 0, 3}, {}, 2, 1),
    by_all("allreduce", "MPI_Allreduce", {one, 0, 2}, {}, no_root, 1),
    by_all("scan", "MPI_Scan", {one, 0, 2}, {}, no_root, 1),
    by_all("exscan", "MPI_Exscan", {one, 0, 2}, {}, no_root, 1),
    by_all("gather", "MPI_Gather", {one, 0, 3}, {equal, 1, 4}, 2),
    by_all("scatter", "MPI_Scatter", {equal, 0, 3}, {one, 1, 4}, 2),
    by_all("allgather", "MPI_Allgather", {one, 0, 2}, {equal, 1, 3}),
    by_all("alltoall", "MPI_Alltoall", {equal, 0, 2}, {equal, 1, 3}),
    by_all("gatherv", "MPI_Gatherv", {one, 0, {2, 1}}, {each, 1, {3, 1}}, {1, 1}),
    by_all("scatterv", "MPI_Scatterv", {each, 0, {2, 1}}, {one, {0, 1}, {3, 1}}, {1, 1}),
    by_all("allgatherv", "MPI_Allgatherv", {one, 0, {1, 1}}, {each, 1, {2, 1}}),
    by_all("alltoallv", "MPI_Alltoallv", {each, 1, {2, 2}}, {each, {2, 1}, {3, 2}}),
    by_all("reducescatter", "MPI_Reduce_scatter", {each, 0, {1, 1}}, {}, no_root, {0, 1}),
};

/// By its name in lower case; null: there is none.
const Action* action_named(std::string_view name) {
  const auto* const found = std::ranges::find(actions, name, &Action::name);
  return found == std::end(actions) ? nullptr : found;
}

namespace fs = std::filesystem;

bool ends_with_txt(const fs::path& file) { return file.filename().string().ends_with(".txt"); }

/// The first line with text; empty where there is none.
std::string first_line(const fs::path& file) {
  constexpr std::size_t head_bytes = 4096;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  const MappedFile mapped(file);
  for (std::string_view rest = text_of(mapped).substr(0, head_bytes); !rest.empty();) {
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
  return line.ends_with(".txt") && !take_word(line).empty() && line.empty();
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
  constexpr std::size_t max_shown = 200;
  const MappedFile file(index);
  std::vector<fs::path> files;
  for (std::string_view rest = text_of(file); !rest.empty();) {
    const std::string_view name = trimmed(take_until(rest, '\n'));
    if (name.empty()) continue;
    std::error_code error;  // such as a name that is too long
    fs::path found = index.parent_path() / name;
    if (!fs::is_regular_file(found, error)) found = name;
    if (!fs::is_regular_file(found, error)) {
      throw Damaged(fmt::format("{}: names {}, which is not there", index.string(), shown(name, max_shown)));
    }
    files.push_back(found);
  }
  return files;
}

}  // namespace

void ActionWords::read(std::string_view line) {
  name_ = in_lower_case(take_word(line));
  words_.clear();
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) words_.push_back(word);
}

const Action* ActionWords::action() const { return action_named(name_); }

std::string_view ActionWords::word(std::size_t at) const {
  if (!has(at)) throw Damaged(fmt::format("{} with too few numbers: it is cut off", shown(name_)));
  return words_[at];
}

double ActionWords::number(std::size_t at) const {
  const std::string text(word(at));
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_number = end == text.c_str() + text.size() && text.find_first_of("xX") == std::string::npos;
  if (!is_number || !std::isfinite(value) || value < 0)
    throw Damaged(fmt::format("{} is no number of flops, elements or seconds", shown(text)));
  return value;
}

std::int64_t ActionWords::whole(std::size_t at) const {
  const auto number = whole_number(word(at));
  if (!number) throw Damaged(fmt::format("{} is no whole number", shown(word(at))));
  return *number;
}

double ActionWords::type_bytes(std::size_t at, double bytes) const {
  if (!has(at)) return bytes;
  const std::int64_t number = whole(at);
  const bool is_known = number >= 0 && number < static_cast<std::int64_t>(datatype_bytes.size());
  return is_known ? datatype_bytes[static_cast<std::size_t>(number)] : 0;
}

std::vector<fs::path> action_files(const fs::path& source) {
  if (fs::is_directory(source)) return files_in(source);
  return is_name(first_line(source)) ? files_of_index(source) : std::vector{source};
}

void read_actions(const fs::path& file, const std::function<void(std::size_t, const ActionWords&)>& take) {
  constexpr std::size_t max_digits = 7;
  const MappedFile mapped(file);
  ActionWords words;
  std::size_t number = 0;
  for (std::string_view rest = text_of(mapped); !rest.empty();) {
    std::string_view line = take_until(rest, '\n');
    ++number;
    const std::string_view rank = take_word(line);
    if (rank.empty() || rank.starts_with('#')) continue;
    try {
      if (!is_natural(rank) || rank.size() > max_digits) throw Damaged("begins with no rank");
      words.read(line);
      if (words.name().empty()) throw Damaged("has no action: it is cut off");
      take(static_cast<std::size_t>(*whole_number(rank)), words);
    } catch (const Damaged& error) {
      throw Damaged(fmt::format("{}:{}: {}", file.string(), number, error.what()));
    }
  }
}

std::size_t count_ranks(const fs::path& file) {
  std::vector<bool> found;
  read_actions(file, [&](std::size_t rank, const ActionWords&) {
    if (found.size() <= rank) found.resize(rank + 1);
    found[rank] = true;
  });
  if (found.empty()) throw Damaged(fmt::format("{}: has no action", file.string()));
  const auto missing = std::ranges::find(found, false);
  if (missing != found.end())
    throw Damaged(fmt::format("{}: has no action of rank {}", file.string(), missing - found.begin()));
  return found.size();
}

bool is_time_independent(const fs::path& source) {
  std::error_code ignored;
  if (fs::is_directory(source, ignored)) return !files_in(source).empty();
  const std::string line = first_line(source);
  return is_action(line) || (is_name(line) && ends_with_txt(source));
}

}  // namespace stretto::foreign
