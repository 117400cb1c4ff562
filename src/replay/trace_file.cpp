// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "network/json_depth.hpp"

namespace stretto::replay {
namespace {

using record::BlockHeader;
using record::Record;

constexpr std::uint64_t largest_header = std::uint64_t{1} << 24U;
constexpr std::uint64_t largest_block = std::uint64_t{1} << 30U;
constexpr std::uint32_t max_trace_ranks = 1U << 24U;
/// Members of a communicator that belong to other programs, which MPI_Comm_spawn has connected.
constexpr std::size_t max_elsewhere = std::size_t{1} << 16U;

/// The records that a definition takes with its payload.
std::size_t length_of(const Record& definition) {
  return 1 + (record::low_field(definition.bytes_and_context) + sizeof(Record) - 1) / sizeof(Record);
}

}  // namespace

TraceReader::TraceReader(const std::filesystem::path& file) : path_(file), file_(file, std::ios::binary) {
  if (!file_) throw TraceError(fmt::format("{}: cannot be read: name a trace", path_.string()));
  file_.seekg(0, std::ios::end);
  end_ = static_cast<std::uint64_t>(std::max<std::streamoff>(file_.tellg(), 0));
  if (end_ >= sizeof header_) read_at(0, &header_, sizeof header_);
  if (end_ < sizeof header_ || header_.magic != record::trace_magic) {
    throw TraceError(fmt::format("{}: is no trace: name a rank-*.trace", path_.string()));
  }
  if (header_.major != record::trace_major) {
    throw TraceError(
        fmt::format("{}: is a trace of version {}.x, and this stretto reads {}.x: record it again",
                    path_.string(), header_.major, record::trace_major));
  }
  const bool fits = header_.header_bytes <= std::min(end_, largest_header) &&
                    std::uint64_t{header_.text_bytes} + sizeof header_ <= header_.header_bytes;
  if (!fits || header_.record_bytes != sizeof(Record)) refuse(12, "the header does not fit");
  if (header_.rank >= header_.ranks || header_.ranks > max_trace_ranks) refuse(16, "no such rank");
  std::string text(header_.text_bytes, '\0');
  read_at(sizeof header_, text.data(), text.size());
  read_calls(text);
  rewind();
  record::TraceTrailer trailer;
  if (end_ < header_.header_bytes + sizeof trailer) return;
  const std::uint64_t at = end_ - sizeof trailer;
  read_at(at, &trailer, sizeof trailer);
  if (trailer.magic != record::trailer_magic) return;
  const bool index_fits = trailer.blocks <= end_ / sizeof(record::BlockIndex) && trailer.index_offset <= at &&
                          trailer.index_offset + trailer.blocks * sizeof(record::BlockIndex) == at;
  if (!index_fits || trailer.index_offset < header_.header_bytes)
    refuse(at, "the trailer does not fit the file");
  end_ = trailer.index_offset;
  complete_ = true;
}

const TracedContext* TraceReader::context(std::uint16_t number) const {
  const auto found = contexts_.find(number);
  return found == contexts_.end() ? nullptr : &found->second;
}

void TraceReader::for_each(const std::function<void(std::uint32_t, const Record&)>& use) {
  rewind();
  TracePiece piece;
  while (next(piece, largest_block)) {
    for (const Record& record : piece.records) use(piece.thread, record);
  }
}

void TraceReader::rewind() {
  next_block_ = header_.header_bytes;
  block_number_ = static_cast<std::size_t>(-1);
  left_ = 0;
}

bool TraceReader::next(TracePiece& piece, std::size_t most) {
  piece.records.clear();
  while (piece.records.empty()) {
    if (left_ == 0) {
      BlockHeader block;
      if (!read_header(next_block_, block)) return false;
      ++block_number_;
      thread_ = block.thread;
      position_ = next_block_ + sizeof block;
      left_ = block.used_bytes / sizeof(Record);
      next_block_ += block.block_bytes;
    }
    std::size_t taken = 0;
    for (std::size_t count = std::min(left_, most); taken == 0 && left_ > 0; count = left_) {
      piece.records.resize(count);
      read_at(position_, piece.records.data(), count * sizeof(Record));
      taken = take(piece.records, count == left_);  // none of a definition that is longer than that
    }
    position_ += taken * sizeof(Record);
    left_ -= taken;
    piece.thread = thread_;
  }
  return true;
}

std::vector<TraceBlock> TraceReader::blocks() {
  std::vector<TraceBlock> all;
  BlockHeader block;
  for (std::uint64_t at = header_.header_bytes; read_header(at, block); at += block.block_bytes) {
    all.push_back({block.thread, block.first_ns});
  }
  return all;
}

bool TraceReader::read_header(std::uint64_t at, BlockHeader& block) {
  if (at + sizeof block > end_) return false;
  read_at(at, &block, sizeof block);
  if (block.magic != record::block_magic) {
    // The process ended before it used the block, or before the trailer was behind the index, in which the
    // first entry begins with the position of the first block.
    if (!complete_ && (block.magic == 0 || is_index(at))) return false;
    refuse(at, "there is no block where one should begin");
  }
  const bool fits = block.block_bytes >= record::trace_page_bytes && block.block_bytes <= largest_block &&
                    block.block_bytes <= end_ - at && block.block_bytes % record::trace_page_bytes == 0 &&
                    block.used_bytes <= block.block_bytes - sizeof block &&
                    block.used_bytes % sizeof(Record) == 0;
  if (!fits) refuse(at, "a block is longer than the file or its own space");
  return true;
}

std::size_t TraceReader::take(std::vector<Record>& records, bool to_the_end) {
  std::size_t kept = 0;
  std::size_t i = 0;
  while (i < records.size()) {
    const std::uint16_t call = record::high_field(records[i].begin_and_call);
    if (call == record::definition) {
      if (!to_the_end && length_of(records[i]) > records.size() - i) break;
      i += define(records, i, position_);
      continue;
    }
    const bool special = call >= record::completion && call <= record::region;
    if (!special &&
        (call < record::first_call || call - record::first_call >= static_cast<int>(calls_.size()))) {
      refuse(position_ + i * sizeof(Record), fmt::format("call {}, which the header does not name", call));
    }
    records[kept++] = records[i++];
  }
  records.resize(kept);
  return i;
}

bool TraceReader::is_index(std::uint64_t at) {
  std::uint64_t position = 0;
  read_at(at, &position, sizeof position);
  return position == header_.header_bytes;
}

void TraceReader::read_at(std::uint64_t offset, void* data, std::size_t bytes) {
  file_.clear();
  if (!file_.is_open()) file_.open(path_, std::ios::binary);
  file_.seekg(static_cast<std::streamoff>(offset));
  file_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
  if (static_cast<std::size_t>(file_.gcount()) != bytes) refuse(offset, "the file ends here");
}

void TraceReader::read_calls(const std::string& text) {
  if (network::nests_too_deep(text)) refuse(sizeof header_, "the names of calls are nested too deeply");
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const auto found = json.is_object() ? json.find("calls") : json.end();
  if (!json.is_object() || found == json.end() || !found->is_array())
    refuse(sizeof header_, "names no calls");
  for (const nlohmann::json& call : *found) {
    if (!call.is_array() || call.size() != 2 || !call[0].is_string() || !call[1].is_string()) {
      refuse(sizeof header_, "a call that has no name and kind");
    }
    calls_.push_back({call[0].get<std::string>(), call[1].get<std::string>()});
  }
}

std::size_t TraceReader::define(const std::vector<Record>& records, std::size_t index, std::uint64_t offset) {
  const Record& record = records[index];
  const std::uint64_t bytes = record::low_field(record.bytes_and_context);
  const std::uint64_t where = offset + index * sizeof(Record);
  const std::size_t taken = length_of(record);
  if (bytes > largest_block || index + taken > records.size()) {
    refuse(where, "a definition that is longer than its block");
  }
  if (record.request != record::communicator && record.request != record::window) {
    definitions_.take(record, {reinterpret_cast<const char*>(records.data() + index + 1), bytes});
    return taken;
  }
  std::vector<record::RankRun> runs(bytes / sizeof(record::RankRun));
  if (bytes % sizeof(record::RankRun) != 0 || record.count > runs.size()) {
    refuse(where, "a communicator with members that cannot be read");
  }
  if (bytes > 0) std::memcpy(static_cast<void*>(runs.data()), records.data() + index + 1, bytes);
  define_context(record, runs, where);
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
    if (side.size() + run.count > header_.ranks + max_elsewhere) {
      refuse(offset, "a communicator with more members than there are ranks");
    }
    for (std::uint32_t step = 0; step < run.count; ++step) {
      const std::int64_t member = run.first + std::int64_t{run.stride} * step;
      if (member < record::no_peer || member >= header_.ranks) {
        refuse(offset, "a communicator with members that are no ranks");
      }
      side.push_back(static_cast<std::int32_t>(member));
      context.several_programs = context.several_programs || member < 0;
      if (member != record::no_peer && ++ranks > header_.ranks) {
        refuse(offset, "a communicator with more members than there are ranks");
      }
    }
  }
  if (context.rank < 0 || static_cast<std::size_t>(context.rank) >= context.members.size()) {
    refuse(offset, "a communicator that this rank is no member of");
  }
  contexts_[static_cast<std::uint16_t>(record.peer)] = std::move(context);
}

void TraceReader::refuse(std::uint64_t offset, const std::string& what) const {
  throw TraceError(
      fmt::format("{}: byte {}: {}; the trace is damaged, record it again", path_.string(), offset, what));
}

std::vector<std::filesystem::path> trace_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("rank-") && name.ends_with(".trace")) files.push_back(entry.path());
  }
  if (files.empty())
    throw TraceError(
        fmt::format("{}: has no rank-*.trace in it: name a trace, or a file", directory.string()));
  std::sort(files.begin(), files.end());
  const std::uint32_t ranks = TraceReader(files.front()).ranks();
  if (files.size() != ranks) {
    throw TraceError(
        fmt::format("{}: has {} traces of {} ranks; record it again, all ranks into one directory",
                    directory.string(), files.size(), ranks));
  }
  return files;
}

}  // namespace stretto::replay
