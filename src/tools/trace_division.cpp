// SPDX-License-Identifier: BSD-3-Clause
#include "tools/trace_division.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <utility>

#include "replay/trace_file.hpp"

namespace stretto::tools {

using analysis::said_by_all;

namespace {

/// The ranks that the processes' first files name; 0: there are none. A file that cannot be read is an error
/// of all processes: each of them may see the same one.
std::uint32_t ranks_in(const std::filesystem::path& directory, const std::vector<std::string>& found,
                       analysis::Team& team) {
  std::uint32_t ranks = 0;
  std::string wrong;
  try {
    if (!found.empty()) ranks = replay::TraceReader(directory / found.front()).ranks();
  } catch (const replay::TraceError& error) {
    wrong = error.what();
  }
  for (const std::string& one : said_by_all(team, wrong)) {
    if (!one.empty()) throw std::invalid_argument(one);
  }
  const std::vector<std::uint32_t> all = said_by_all(team, ranks);
  return *std::max_element(all.begin(), all.end());
}

}  // namespace

analysis::Division division_of(const std::vector<std::filesystem::path>& files, analysis::Team& team) {
  if (team.size() == 1) return analysis::Division::blocks(files.size(), team);
  std::vector<std::uint8_t> here;
  here.reserve(files.size());
  std::error_code error;
  for (const std::filesystem::path& file : files)
    here.push_back(std::filesystem::exists(file, error) ? 1 : 0);
  const std::vector<std::vector<std::uint8_t>> all = said_by_all(team, here);
  std::vector<std::uint32_t> owners;
  std::vector<std::size_t> owned(team.size());
  owners.reserve(files.size());
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    // Neighbours are often in one process, so that fewer messages have to be exchanged.
    std::size_t owner = rank * team.size() / files.size();
    if (all[owner][rank] == 0) {
      owner = team.size();
      for (std::size_t process = 0; process < team.size(); ++process) {
        if (all[process][rank] == 0) continue;
        if (owner == team.size() || owned[process] < owned[owner]) owner = process;
      }
    }
    if (owner == team.size()) {
      throw std::invalid_argument(files[rank].string() + ": no process has this file: record it again");
    }
    ++owned[owner];
    owners.push_back(static_cast<std::uint32_t>(owner));
  }
  return {std::move(owners), team.number()};
}

std::vector<std::filesystem::path> traces_in(const std::filesystem::path& directory, analysis::Team& team) {
  const std::vector<std::string> found = replay::trace_names(directory);
  std::set<std::string> names;
  for (const std::vector<std::string>& some : said_by_all(team, found)) {
    names.insert(some.begin(), some.end());
  }
  return replay::trace_files(directory, {names.begin(), names.end()}, ranks_in(directory, found, team));
}

void refuse_damaged(const std::vector<std::filesystem::path>& files, const analysis::Share& share,
                    const std::string& wrong) {
  std::vector<std::string> mine;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    if (!share.division.owns(rank)) continue;
    try {
      replay::TraceReader(files[rank]).for_each([](std::uint32_t, const record::Record&) {});
    } catch (const replay::TraceError& error) {
      mine.emplace_back(error.what());
    }
  }
  if (mine.empty() && !wrong.empty()) mine.push_back(wrong);
  std::vector<std::string> all;
  for (const std::vector<std::string>& some : said_by_all(share.team, mine)) {
    all.insert(all.end(), some.begin(), some.end());
  }
  if (all.size() == 1) throw replay::TraceError(all.front());
  throw replay::TraceError(
      fmt::format("{} of {} files cannot be read, first {}", all.size(), files.size(), all.front()));
}

}  // namespace stretto::tools
