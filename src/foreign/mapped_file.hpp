// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace stretto::foreign {

class MappedFile {
 public:
  /// Throws Damaged unless it is a file that can be read.
  explicit MappedFile(const std::filesystem::path& file);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace stretto::foreign
