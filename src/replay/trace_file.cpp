// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "network/json_depth.hpp"

namespace stretto::replay {
namespace {

using record::Record;

/// Records that a processor's cache holds with what they refer to.
constexpr std::size_t cached_records = std::size_t{1} << 12U;
/// Members of a communicator that belong to other programs, which MPI_Comm_spawn has connected.
constexpr std::size_t max_elsewhere = std::size_t{1} << 16U;

bool defines_context(const Record& definition) {
  return definition.request == record::communicator || definition.request == record::window;
}

/// How many of the records, from `first` on, end before a communicator or window that is defined behind a
/// call.
std::size_t run_length(const std::vector<Record>& records, std::size_t first) {
  bool has_calls = false;
  for (std::size_t i = first; i < records.size();) {
    if (record::high_field(records[i].begin_and_call) != record::definition) {
      has_calls = true;
      ++i;
    } else if (has_calls && defines_context(records[i])) {
      return i - first;
    } else {
      i += records_of_definition(records[i]);
    }
  }
  return records.size() - first;
}

}  // namespace

TraceReader::TraceReader(const std::filesystem::path& file, Limited limited)
    : blocks_(file, limited), records_(blocks_) {
  read_names(blocks_.text());
}

const TracedContext* TraceReader::context(std::uint16_t number) const {
  const auto found = contexts_.find(number);
  return found == contexts_.end() ? nullptr : &found->second;
}

void TraceReader::for_each(const std::function<void(std::uint32_t, const Record&)>& use) {
  rewind();
  TracePiece piece;
  while (next(piece, cached_records)) {
    for (const Record& record : piece.records) use(piece.thread, record);
  }
}

bool TraceReader::next(TracePiece& piece, std::size_t most) {
  do {
    std::size_t first = 0;
    if (rest_at_ < rest_.size()) {
      const std::size_t length = run_length(rest_, rest_at_);
      const auto begin = rest_.begin() + static_cast<std::ptrdiff_t>(rest_at_);
      piece.records.assign(begin, begin + static_cast<std::ptrdiff_t>(length));
      first = before_rest_ + std::exchange(rest_at_, rest_at_ + length);
    } else {
      if (!records_.next(piece, most)) return false;
      before_rest_ = run_length(piece.records, 0);
      rest_at_ = 0;
      rest_.assign(piece.records.begin() + static_cast<std::ptrdiff_t>(before_rest_), piece.records.end());
      piece.records.resize(before_rest_);
    }
    take(piece.records, first);
  } while (piece.records.empty());
  return true;
}

void TraceReader::take(std::vector<Record>& records, std::size_t first) {
  std::size_t kept = 0;
  std::size_t i = 0;
  while (i < records.size()) {
    const std::uint16_t call = record::high_field(records[i].begin_and_call);
    if (call == record::definition) {
      i += define(records, i, first);
      continue;
    }
    const bool special = call >= record::completion && call <= record::region;
    if (!special &&
        (call < record::first_call || call - record::first_call >= static_cast<int>(calls_.size()))) {
      blocks_.refuse(records_.place_of(first + i),
                     fmt::format("call {}, which the header does not name", call));
    }
    records[kept++] = records[i++];
  }
  records.resize(kept);
}

void TraceReader::read_names(const std::string& text) {
  if (network::nests_too_deep(text))
    blocks_.refuse(sizeof(record::TraceHeader), "the names of calls are nested too deeply");
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const auto found = json.is_object() ? json.find("calls") : json.end();
  if (!json.is_object() || found == json.end() || !found->is_array())
    blocks_.refuse(sizeof(record::TraceHeader), "names no calls");
  for (const nlohmann::json& call : *found) {
    if (!call.is_array() || call.size() != 2 || !call[0].is_string() || !call[1].is_string()) {
      blocks_.refuse(sizeof(record::TraceHeader), "a call that has no name and kind");
    }
    calls_.push_back({call[0].get<std::string>(), call[1].get<std::string>()});
  }
  const auto mpi = json.find("mpi");
  if (mpi == json.end() || !mpi->is_object()) return;
  const auto library = mpi->find("library");
  if (library != mpi->end() && library->is_string()) library_ = library->get<std::string>();
}

std::size_t TraceReader::define(const std::vector<Record>& records, std::size_t index, std::size_t first) {
  const Record& record = records[index];
  const std::uint64_t bytes = record::low_field(record.bytes_and_context);
  const std::uint64_t where = records_.place_of(first + index);
  const std::size_t taken = records_of_definition(record);
  if (!defines_context(record)) {
    definitions_.take(record, {reinterpret_cast<const char*>(records.data() + index + 1), bytes});
    return taken;
  }
  std::vector<record::RankRun> runs(bytes / sizeof(record::RankRun));
  if (bytes % sizeof(record::RankRun) != 0 || record.count > runs.size()) {
    blocks_.refuse(where, "a communicator with members that cannot be read");
  }
  if (bytes > 0) std::memcpy(static_cast<void*>(runs.data()), records.data() + index + 1, bytes);
  if (static_cast<std::uint16_t>(record.peer) == record::no_context) {
    lacks_numbers_ = true;
  } else {
    define_context(record, runs, where);
  }
  return taken;
}

void TraceReader::define_context(const Record& record, const std::vector<record::RankRun>& runs,
                                 std::uint64_t offset) {
  TracedContext context{.key = record.extra, .rank = record.tag, .window = record.request == record::window};
  std::size_t own_ranks = 0;
  std::size_t remote_ranks = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<std::int32_t>& side = i < record.count ? context.members : context.remote;
    const record::RankRun& run = runs[i];
    std::size_t& ranks = i < record.count ? own_ranks : remote_ranks;
    if (side.size() + run.count > this->ranks() + max_elsewhere) {
      blocks_.refuse(offset, "a communicator with more members than there are ranks");
    }
    for (std::uint32_t step = 0; step < run.count; ++step) {
      const std::int64_t member = run.first + std::int64_t{run.stride} * step;
      if (member < record::no_peer || member >= this->ranks()) {
        blocks_.refuse(offset, "a communicator with members that are no ranks");
      }
      side.push_back(static_cast<std::int32_t>(member));
      context.several_programs = context.several_programs || member < 0;
      if (member != record::no_peer && ++ranks > this->ranks()) {
        blocks_.refuse(offset, "a communicator with more members than there are ranks");
      }
    }
  }
  if (context.rank < 0 || static_cast<std::size_t>(context.rank) >= context.members.size()) {
    blocks_.refuse(offset, "a communicator that this rank is no member of");
  }
  contexts_[static_cast<std::uint16_t>(record.peer)] = std::move(context);
}

std::vector<std::string> trace_names(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with("rank-") && name.ends_with(".trace")) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

void TraceReader::refuse_other_run(std::uint64_t begin_ns) const {
  if (this->begin_ns() == begin_ns) return;
  throw TraceError(fmt::format(
      "{}: is of another run than the file of rank 0; record it again, all ranks into one directory",
      blocks_.path().string()));
}

std::vector<std::filesystem::path> trace_files(const std::filesystem::path& directory,
                                               const std::vector<std::string>& names, std::uint32_t ranks) {
  if (names.empty())
    throw TraceError(
        fmt::format("{}: has no rank-*.trace in it: name a trace, or a file", directory.string()));
  if (names.size() != ranks) {
    throw TraceError(
        fmt::format("{}: has {} traces of {} ranks; record it again, all ranks into one directory",
                    directory.string(), names.size(), ranks));
  }
  std::vector<std::filesystem::path> files;
  files.reserve(names.size());
  for (const std::string& name : names) files.push_back(directory / name);
  return files;
}

std::vector<std::filesystem::path> trace_files(const std::filesystem::path& directory, Limited limited) {
  const std::vector<std::string> names = trace_names(directory);
  return trace_files(directory, names,
                     names.empty() ? 0 : TraceReader(directory / names.front(), limited).ranks());
}

}  // namespace stretto::replay
