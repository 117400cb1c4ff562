// SPDX-License-Identifier: BSD-3-Clause
// Writes a trace with packed records, thread by thread in blocks, as the recorder does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "record/record_packer.hpp"
#include "record/trace_format.hpp"

namespace stretto::replay {

/// How long a thread has waited for a core, as the header of a block has it.
struct CoreWait {
  std::uint32_t waited_ms = 0;
  std::uint32_t of_ms = 0;
};

class PackedTrace {
 public:
  /// Writes the header, of this version. Each function throws std::ios_base::failure of the file.
  PackedTrace(const std::filesystem::path& file, record::TraceHeader header, const std::string& text);
  /// Leaves space for the header and a text, which `write_text` must write.
  PackedTrace(const std::filesystem::path& file, const record::TraceHeader& header, std::uint64_t text_space);

  /// Writes the header again, with a text for which there is space.
  void write_text(const std::string& text);
  /// Appends a definition to a block of the thread.
  void define(const record::Record& definition, const void* payload, std::uint32_t thread = 0);
  void append(std::uint32_t thread, const record::Record& record);
  /// Says what the blocks of a thread that are not written yet have in their headers.
  void wait(std::uint32_t thread, const CoreWait& wait) { threads_[thread].wait = wait; }
  /// Writes what a thread has.
  void flush(std::uint32_t thread);
  /// A block of a packed file as it is. The file is not complete without `finish`.
  void copy(record::BlockHeader header, const std::vector<std::byte>& rest);
  /// Writes all that is left, and index and trailer.
  void finish(std::uint64_t end_ns, std::uint64_t lost);
  void close();

 private:
  struct Thread {
    record::RecordPacker packer;
    std::vector<std::byte> bytes;
    std::uint64_t records = 0;
    std::uint64_t first_ns = 0;
    CoreWait wait;
  };
  /// The end of a thread's records, with so much space behind it.
  std::byte* space(std::uint32_t thread, std::size_t bytes);
  void put(const void* data, std::size_t bytes);
  void pad();

  std::ofstream out_;
  record::TraceHeader header_;
  std::uint64_t at_ = 0;
  std::map<std::uint32_t, Thread> threads_;
  std::vector<record::BlockIndex> index_;
};

}  // namespace stretto::replay
