// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/spmv/matrix_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

namespace stretto::kernel {
namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(MatrixHeader) == 64);

constexpr std::uint64_t matrix_magic = 0x787274616D727473U;  // "strmatrx", as its bytes lie
constexpr std::uint16_t matrix_major = 1;
constexpr const char* not_a_matrix =
    "is no matrix that stretto wrote; give it to `stretto run spmv --matrix`";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw std::invalid_argument(file.string() + ": " + what);
}

/// Maps the whole file. Throws std::invalid_argument where it cannot be a matrix.
std::span<const std::byte> mapped(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    const std::string reason = std::strerror(errno);
    if (descriptor >= 0) close(descriptor);
    refuse(file, "cannot be read (" + reason + "); name a matrix");
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  const bool whole = S_ISREG(status.st_mode) && size >= sizeof(MatrixHeader);
  void* memory = whole ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  const std::string reason = std::strerror(errno);
  close(descriptor);
  if (!whole) refuse(file, not_a_matrix);
  if (memory == MAP_FAILED) {
    refuse(file, "cannot be mapped, " + std::to_string(size) + " bytes (" + reason +
                     "); free memory, or raise the limit of address space");
  }
  return {static_cast<const std::byte*>(memory), size};
}

}  // namespace

MatrixFile::MatrixFile(const std::filesystem::path& file) : path_(file) {
  const std::span<const std::byte> bytes = mapped(file);
  memory_ = bytes.data();
  size_bytes_ = bytes.size();
  std::memcpy(&header_, memory_, sizeof header_);
  std::string wrong;
  if (header_.magic != matrix_magic) {
    wrong = not_a_matrix;
  } else if (header_.major != matrix_major) {
    wrong = "is of another version of the format; make it again";
  } else if (header_.rows >= std::numeric_limits<std::uint32_t>::max() ||
             header_.columns > std::numeric_limits<std::uint32_t>::max() ||
             !fits(header_.start_offset, header_.rows + 1, sizeof(std::uint64_t)) ||
             !fits(header_.column_offset, header_.nonzeros, sizeof(std::uint32_t)) ||
             !fits(header_.value_offset, header_.nonzeros, sizeof(double))) {
    wrong = "does not fit its header; it was cut off or damaged, make it again";
  } else if (const auto* start = at<std::uint64_t>(header_.start_offset);
             start[0] != 0 || start[header_.rows] != header_.nonzeros) {
    wrong = "has rows that do not go from 0 to the number of nonzeros; make it again";
  }
  if (wrong.empty()) return;
  munmap(const_cast<std::byte*>(memory_), size_bytes_);
  refuse(file, wrong);
}

MatrixFile::~MatrixFile() { munmap(const_cast<std::byte*>(memory_), size_bytes_); }

bool MatrixFile::fits(std::uint64_t offset, std::uint64_t count, std::uint64_t size) const {
  const bool inside = offset >= sizeof(MatrixHeader) && offset <= size_bytes_ && offset % 8 == 0;
  return inside && count <= (size_bytes_ - offset) / size;
}

MatrixFile::Rows MatrixFile::part(std::size_t first, std::size_t last) const {
  const auto* start = at<std::uint64_t>(header_.start_offset);
  Rows rows;
  rows.start.reserve(last - first + 1);
  const std::uint64_t begin = start[first];
  for (std::size_t row = first; row <= last; ++row) {
    const std::uint64_t before = row == first ? 0 : start[row - 1];
    if (start[row] < before || start[row] > header_.nonzeros) {
      refuse(path_, "row " + std::to_string(row) + " begins outside of the matrix; make it again");
    }
    rows.start.push_back(start[row] - begin);
  }
  const std::size_t count = start[last] - begin;
  rows.column = {at<std::uint32_t>(header_.column_offset) + begin, count};
  rows.value = {at<double>(header_.value_offset) + begin, count};
  return rows;
}

}  // namespace stretto::kernel
