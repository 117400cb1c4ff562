// SPDX-License-Identifier: BSD-3-Clause
// The matrix file of `stretto run spmv`, which converts every input to it. It is mapped, so that a rank reads
// only its own rows. docs/formats.md describes the format. No MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace stretto::kernel {

/// Little-endian; each array begins on a multiple of 8.
struct MatrixHeader {
  std::uint64_t magic = 0;
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::uint32_t header_bytes = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t nonzeros = 0;
  std::uint64_t start_offset = 0;   ///< rows + 1 times std::uint64_t
  std::uint64_t column_offset = 0;  ///< nonzeros times std::uint32_t
  std::uint64_t value_offset = 0;   ///< nonzeros times double
};

class MatrixFile {
 public:
  /// Maps the file and checks its header, with the same result on all ranks. Throws std::invalid_argument,
  /// `FILE: what is wrong; how to correct it`.
  explicit MatrixFile(const std::filesystem::path& file);
  MatrixFile(const MatrixFile&) = delete;
  MatrixFile& operator=(const MatrixFile&) = delete;
  ~MatrixFile();

  [[nodiscard]] std::size_t rows() const { return header_.rows; }
  [[nodiscard]] std::size_t columns() const { return header_.columns; }
  [[nodiscard]] std::size_t nonzeros() const { return header_.nonzeros; }

  /// Rows `first` to before `last`, after a check that their starts lie within the file. The caller that
  /// multiplies checks the columns. Throws std::invalid_argument that names the row.
  struct Rows {
    std::vector<std::uint64_t> start;  ///< from 0
    std::span<const std::uint32_t> column;
    std::span<const double> value;
  };
  [[nodiscard]] Rows part(std::size_t first, std::size_t last) const;

 private:
  [[nodiscard]] bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t size) const;
  template <typename T>
  [[nodiscard]] const T* at(std::uint64_t offset) const {
    return reinterpret_cast<const T*>(memory_ + offset);
  }

  std::filesystem::path path_;
  const std::byte* memory_ = nullptr;
  std::size_t size_bytes_ = 0;
  MatrixHeader header_;
};

}  // namespace stretto::kernel
