// SPDX-License-Identifier: BSD-3-Clause
// pack_trace FROM TO: writes a trace with plain records as the recorder does, packed. Generated traces are
// plain.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "record/trace_format.hpp"
#include "replay/packed_trace.hpp"
#include "replay/trace_blocks.hpp"

namespace {

using namespace stretto;

/// The text of a header names the version, too.
std::string packed_text(std::string text) {
  const std::string plain = "stretto.trace/1.";
  const std::size_t at = text.find(plain);
  if (at != std::string::npos) text.replace(at, plain.size(), "stretto.trace/2.");
  return text;
}

void pack(const char* from, const char* to) {
  replay::TraceBlocks blocks(from);
  if (blocks.is_packed() || !blocks.complete()) throw std::invalid_argument("is no complete plain trace");
  const std::string text = packed_text(blocks.text());
  replay::PackedTrace out(to, blocks.header(), text);
  replay::TracePiece piece;
  while (blocks.next(piece, replay::max_piece_records)) {
    for (std::size_t i = 0; i < piece.records.size(); ++i) {
      const record::Record& one = piece.records[i];
      if (record::high_field(one.begin_and_call) != record::definition) {
        out.append(piece.thread, one);
        continue;
      }
      out.define(one, &one + 1);
      i += replay::records_of_definition(one) - 1;
    }
  }
  out.finish(blocks.trailer().end_ns, blocks.trailer().lost);
  out.close();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::invalid_argument("usage: pack_trace FROM TO");
    pack(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pack_trace: %s\n", error.what());
    return 1;
  }
}
