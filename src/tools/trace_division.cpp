// SPDX-License-Identifier: BSD-3-Clause
#include "tools/trace_division.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "replay/trace_file.hpp"

namespace stretto::tools {
namespace {

/// What each process says, by process.
template <typename Value>
std::vector<Value> said_by_all(analysis::Team& team, Value mine) {
  std::vector<analysis::Bytes> to(team.size());
  for (analysis::Bytes& bytes : to) {
    analysis::Archive out;
    out(mine);
    bytes = out.take();
  }
  std::vector<Value> all;
  for (analysis::Bytes& bytes : team.exchange(std::move(to))) {
    analysis::Archive in(std::move(bytes));
    in(all.emplace_back());
  }
  return all;
}

/// The ranks that a process's first file names; 0: it has none. A file that cannot be read is an error of all
/// processes: each of them may see the same one.
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
  return ranks;
}

}  // namespace

analysis::Division division_of(const std::vector<std::filesystem::path>& files, analysis::Team& team) {
  if (team.size() == 1) return analysis::Division::blocks(files.size(), team);
  std::vector<std::uint8_t> here;
  here.reserve(files.size());
  std::error_code error;
  for (const std::filesystem::path& file : files)
    here.push_back(std::filesystem::exists(file, error) ? 1 : 0);
  const std::vector<std::vector<std::uint8_t>> all = said_by_all(team, std::move(here));
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

std::vector<std::string> traces_in(const std::filesystem::path& directory, analysis::Team& team) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("rank-") && name.ends_with(".trace")) found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  std::uint32_t ranks = 0;
  for (const std::uint32_t one : said_by_all(team, ranks_in(directory, found, team))) {
    ranks = std::max(ranks, one);
  }
  std::vector<std::string> names;
  for (const std::vector<std::string>& some : said_by_all(team, found)) {
    names.insert(names.end(), some.begin(), some.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty()) {
    throw std::invalid_argument(directory.string() + ": has no rank-*.trace in it: name a trace");
  }
  if (names.size() != ranks) {
    throw std::invalid_argument(directory.string() + ": has " + std::to_string(names.size()) + " traces of " +
                                std::to_string(ranks) +
                                " ranks; record it again, all ranks into one directory");
  }
  for (std::string& name : names) name = (directory / name).string();
  return names;
}

}  // namespace stretto::tools
