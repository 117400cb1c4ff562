// SPDX-License-Identifier: BSD-3-Clause
// The samples file. Each append writes one complete line, so that the file of a killed run is readable.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "record/encode.hpp"

namespace stretto::record {

class SampleFile {
 public:
  /// Creates `path`. Throws std::system_error when it exists already or cannot be written.
  explicit SampleFile(const std::filesystem::path& path);
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;
  ~SampleFile();

  template <typename Row>
  void append(const Row& row) {
    append_line(encode(row));
  }

  /// Appends a row that is already encoded.
  void append_line(std::string line) {
    write_line(std::move(line));
    ++rows_;
  }

  /// Marks the file as complete; no append may follow.
  void finish() { write_line(encode(End{.rows = rows_})); }

 private:
  void write_line(std::string line);

  int descriptor_;
  std::int64_t rows_ = 0;
};

}  // namespace stretto::record
