// SPDX-License-Identifier: BSD-3-Clause
#include "replay/plain_trace.hpp"

#include <string>
#include <vector>

#include "replay/trace_blocks.hpp"
#include "replay/trace_file.hpp"

namespace stretto::replay {
namespace {

template <typename Part>
void write(std::ostream& out, const Part& part) {
  out.write(reinterpret_cast<const char*>(&part), sizeof part);
}

void write_zeros(std::ostream& out, std::uint64_t bytes) {
  const std::string zeros(bytes, '\0');
  out.write(zeros.data(), static_cast<std::streamsize>(bytes));
}

/// The text of a header names the version, too.
std::string plain_text(std::string text) {
  const std::string packed = "stretto.trace/2.";
  const std::size_t at = text.find(packed);
  if (at != std::string::npos) text.replace(at, packed.size(), "stretto.trace/1.");
  return text;
}

}  // namespace

void write_plain_trace(const std::filesystem::path& trace, std::ostream& out) {
  out.exceptions(std::ios::badbit | std::ios::failbit);
  TraceReader(trace).for_each([](std::uint32_t, const record::Record&) {});
  TraceBlocks blocks(trace);
  record::TraceHeader header = blocks.header();
  header.major = record::trace_major;
  header.minor = record::trace_minor;
  const std::string text = plain_text(blocks.text());
  write(out, header);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  write_zeros(out, header.header_bytes - sizeof header - text.size());

  std::uint64_t at = header.header_bytes;
  std::vector<record::BlockIndex> index;
  record::TraceTrailer trailer = blocks.trailer();
  trailer.records = 0;
  TracePiece piece;
  while (blocks.next(piece, max_piece_records)) {
    const std::uint64_t used = piece.records.size() * sizeof piece.records[0];
    record::BlockHeader block = blocks.block();
    block.used_bytes = used;
    block.block_bytes = record::whole_pages(sizeof block + used);
    write(out, block);
    out.write(reinterpret_cast<const char*>(piece.records.data()), static_cast<std::streamsize>(used));
    write_zeros(out, block.block_bytes - sizeof block - used);
    index.push_back({at, block.first_ns, static_cast<std::uint32_t>(piece.records.size()), block.thread});
    trailer.records += piece.records.size();
    at += block.block_bytes;
  }
  if (blocks.complete()) {
    trailer.blocks = index.size();
    trailer.index_offset = at;
    for (const record::BlockIndex& one : index) write(out, one);
    write(out, trailer);
  }
  out.flush();
}

}  // namespace stretto::replay
