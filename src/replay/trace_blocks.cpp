// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace stretto::replay {
namespace {

using record::BlockHeader;
using record::Record;

constexpr std::uint64_t largest_header = std::uint64_t{1} << 24U;
constexpr std::uint64_t largest_block = std::uint64_t{1} << 30U;
constexpr std::uint32_t max_trace_ranks = 1U << 24U;
constexpr std::size_t packed_bytes_a_record = 16;  // so much is read at once
constexpr std::size_t min_read_records = 256;      // so many at least: a file may be opened for each time

}  // namespace

TraceBlocks::TraceBlocks(const std::filesystem::path& file, Limited limited)
    : path_(file), file_(std::make_shared<std::ifstream>(file, std::ios::binary)) {
  if (!*file_) throw TraceError(fmt::format("{}: cannot be read: name a trace", path_.string()));
  file_->seekg(0, std::ios::end);
  end_ = static_cast<std::uint64_t>(std::max<std::streamoff>(file_->tellg(), 0));
  if (end_ >= sizeof header_) read_at(0, &header_, sizeof header_);
  if (end_ < sizeof header_ || header_.magic != record::trace_magic) {
    throw TraceError(fmt::format("{}: is no trace: name a rank-*.trace", path_.string()));
  }
  if (is_limited() && limited == Limited::is_refused) {
    throw TraceError(fmt::format(
        "{}: was recorded with --limit, and no trace has been cut out of it: `stretto-analyse --cut "
        "{}` does so, or says why it cannot",
        path_.string(), path_.parent_path().string()));
  }
  if (header_.major < record::trace_major || header_.major > record::limited_major) {
    throw TraceError(
        fmt::format("{}: is a trace of version {}.x, and this stretto reads {}.x and {}.x: record it again",
                    path_.string(), header_.major, record::trace_major, record::packed_major));
  }
  const bool fits = header_.header_bytes <= std::min(end_, largest_header) &&
                    std::uint64_t{header_.text_bytes} + sizeof header_ <= header_.header_bytes;
  if (!fits || header_.record_bytes != sizeof(Record)) refuse(12, "the header does not fit");
  if (header_.rank >= header_.ranks || header_.ranks > max_trace_ranks) refuse(16, "no such rank");
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
  trailer_ = trailer;
  complete_ = true;
  if (is_limited()) read_index();
}

void TraceBlocks::read_index() {
  std::vector<record::BlockIndex> index(trailer_.blocks);
  read_at(trailer_.index_offset, index.data(), index.size() * sizeof(record::BlockIndex));
  order_.emplace();
  for (const record::BlockIndex& one : index) {
    if (one.offset == 0) {
      dropped_until_ns_ = one.first_ns;
    } else if (one.offset < header_.header_bytes || one.offset >= end_) {
      refuse(trailer_.index_offset, "the index names a block that is not there");
    } else {
      order_->push_back(one.offset);
    }
  }
}

std::string TraceBlocks::text() {
  std::string text(header_.text_bytes, '\0');
  read_at(sizeof header_, text.data(), text.size());
  return text;
}

void TraceBlocks::rewind() {
  next_block_ = header_.header_bytes;
  block_number_ = static_cast<std::size_t>(-1);
  left_ = polls_ = 0;
  packed_.clear();
}

bool TraceBlocks::next(TracePiece& piece, std::size_t most) {
  piece.records.clear();
  while (piece.records.empty()) {
    const bool at_end = left_ == 0 && polls_ == 0 && packed_.empty();
    if (at_end && !begin_block()) return false;
    if (is_packed()) {
      read_packed(piece.records, most);
    } else {
      read_records(piece.records, most);
    }
    piece.thread = block_.thread;
  }
  return true;
}

std::vector<TraceBlock> TraceBlocks::blocks() {
  std::vector<TraceBlock> all;
  rewind();
  while (next_header()) all.push_back({block_.thread, at_});
  rewind();
  return all;
}

TraceBlocks TraceBlocks::at(std::vector<std::uint64_t> offsets) const {
  TraceBlocks one(*this);
  one.order_ = std::move(offsets);
  one.rewind();
  return one;
}

bool TraceBlocks::next_header() {
  if (order_ && block_number_ + 1 == order_->size()) return false;
  at_ = order_ ? (*order_)[block_number_ + 1] : next_block_;
  if (!read_header(at_, block_)) return false;
  ++block_number_;
  next_block_ = at_ + block_.block_bytes;
  return true;
}

bool TraceBlocks::begin_block() {
  if (!next_header()) return false;
  position_ = at_ + sizeof block_;
  left_ = block_.used_bytes / sizeof(Record);
  if (is_packed()) {
    const record::PackedUse use = record::packed_use(block_.used_bytes);
    polls_ = use.polls;
    polls_at_ = position_;
    position_ = at_ + record::packed_header_bytes;
    left_ = use.bytes;
    unpacker_.begin_block();
  }
  return true;
}

void TraceBlocks::read_records(std::vector<Record>& records, std::size_t most) {
  first_ = position_;
  std::size_t taken = 0;
  for (std::size_t count = std::min(left_, most); taken == 0 && left_ > 0; count = left_) {
    records.resize(count);
    read_at(position_, records.data(), count * sizeof(Record));
    taken = whole_definitions(records, count == left_);  // none of a definition that is longer than that
  }
  records.resize(taken);
  position_ += taken * sizeof(Record);
  left_ -= taken;
}

void TraceBlocks::read_packed(std::vector<Record>& records, std::size_t most) {
  if (left_ == 0 && packed_.empty()) {
    first_ = polls_at_;
    records.resize(polls_);
    read_at(polls_at_, records.data(), polls_ * sizeof(Record));
    polls_ = 0;
    (void)whole_definitions(records, true);  // there are none, unless the file is damaged
    return;
  }
  first_ = position_;
  std::size_t bytes = std::clamp(most, min_read_records, max_piece_records) * packed_bytes_a_record;
  if (packed_.empty()) read_more(bytes);
  while (true) {
    const auto [unpacked, wrong] = unpacker_.unpack(packed_, left_ == 0, most, records);
    if (wrong != nullptr) refuse(position_ + unpacked, wrong);
    packed_.erase(packed_.begin(), packed_.begin() + static_cast<std::ptrdiff_t>(unpacked));
    position_ += unpacked;
    if (unpacked > 0 || left_ == 0) return;
    read_more(bytes);  // a definition that is longer than that
    bytes *= 2;
  }
}

void TraceBlocks::read_more(std::size_t bytes) {
  const std::size_t before = packed_.size();
  const std::size_t more = std::min(bytes, left_);
  packed_.resize(before + more);
  read_at(position_ + before, packed_.data() + before, more);
  left_ -= more;
}

bool TraceBlocks::read_header(std::uint64_t at, BlockHeader& block) {
  if (at + sizeof block > end_) return false;
  read_at(at, &block, sizeof block);
  if (block.magic != record::block_magic) {
    // The process ended before it used the block, or before the trailer was behind the index, in which the
    // first entry begins with the position of the first block.
    if (!complete_ && (block.magic == 0 || is_index(at))) return false;
    refuse(at, "there is no block where one should begin");
  }
  const record::PackedUse use = record::packed_use(block.used_bytes);
  const bool is_cut = block.block_bytes > end_ - at;
  const bool fits = block.block_bytes >= record::trace_page_bytes && block.block_bytes <= largest_block &&
                    block.block_bytes % record::trace_page_bytes == 0 && !(is_cut && complete_);
  const bool holds = is_packed() ? use.bytes <= block.block_bytes - record::packed_header_bytes &&
                                       use.polls <= record::max_open_polls
                                 : block.used_bytes <= block.block_bytes - sizeof block &&
                                       block.used_bytes % sizeof(Record) == 0;
  if (!fits || !holds) refuse(at, "a block is longer than the file or its own space");
  return !is_cut;  // the file was cut off within it: the blocks before it are whole
}

std::size_t TraceBlocks::whole_definitions(const std::vector<Record>& records, bool to_the_end) const {
  std::size_t i = 0;
  while (i < records.size()) {
    const bool defines = record::high_field(records[i].begin_and_call) == record::definition;
    const std::uint64_t bytes = defines ? record::low_field(records[i].bytes_and_context) : 0;
    const std::size_t length = defines ? records_of_definition(records[i]) : 1;
    if (bytes > largest_block || (to_the_end && length > records.size() - i)) {
      refuse(first_ + i * sizeof(Record), "a definition that is longer than its block");
    }
    if (length > records.size() - i) break;
    i += length;
  }
  return i;
}

bool TraceBlocks::is_index(std::uint64_t at) {
  std::uint64_t position = 0;
  read_at(at, &position, sizeof position);
  return position == header_.header_bytes;
}

void TraceBlocks::read_at(std::uint64_t offset, void* data, std::size_t bytes) {
  file_->clear();
  if (!file_->is_open()) file_->open(path_, std::ios::binary);
  file_->seekg(static_cast<std::streamoff>(offset));
  file_->read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
  if (static_cast<std::size_t>(file_->gcount()) != bytes) refuse(offset, "the file ends here");
}

std::uint64_t TraceBlocks::place_of(std::size_t index) const {
  return is_packed() ? first_ : first_ + index * sizeof(Record);
}

void TraceBlocks::refuse(std::uint64_t offset, const std::string& what) const {
  throw TraceError(
      fmt::format("{}: byte {}: {}; the trace is damaged, record it again", path_.string(), offset, what));
}

}  // namespace stretto::replay
