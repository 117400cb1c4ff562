// SPDX-License-Identifier: BSD-3-Clause
// Matrices in their binary form: valid files are read, others refused with one line that names the file.
#include "kernels/spmv/matrix_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <random>
#include <stdexcept>

#include "refusal.hpp"
#include "temporary_path.hpp"

namespace stretto::kernel {
namespace {

constexpr std::uint64_t magic = 0x787274616D727473U;

/// 3 x 4: (0,0)=1, (0,3)=2, row 1 empty, (2,1)=3.
std::vector<char> small_matrix() {
  const std::vector<std::uint64_t> start{0, 2, 2, 3};
  const std::vector<std::uint32_t> column{0, 3, 1, 0};  // the last one is padding
  const std::vector<double> value{1, 2, 3};
  const MatrixHeader header{.magic = magic,
                            .major = 1,
                            .minor = 3,  // a newer minor version is read
                            .header_bytes = sizeof(MatrixHeader),
                            .rows = 3,
                            .columns = 4,
                            .nonzeros = 3,
                            .start_offset = 64,
                            .column_offset = 96,
                            .value_offset = 112};
  std::vector<char> bytes(136);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + 64, start.data(), 32);
  std::memcpy(bytes.data() + 96, column.data(), 16);
  std::memcpy(bytes.data() + 112, value.data(), 24);
  return bytes;
}

class MatrixFileTest : public ::testing::Test {
 protected:
  void write(const std::vector<char>& bytes) const {
    std::ofstream(file_.get(), std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  /// Reads the whole file; returns whether it was accepted.
  [[nodiscard]] bool reads() const {
    try {
      const MatrixFile matrix(file_.get());
      double sum = 0;
      for (std::size_t row = 0; row < std::min<std::size_t>(matrix.rows(), 100); ++row) {
        const MatrixFile::Rows part = matrix.part(row, row + 1);
        for (std::size_t k = 0; k < part.start[1]; ++k) sum += part.value[k] + part.column[k];
      }
      last_sum_ = sum;
      return true;
    } catch (const std::invalid_argument& error) {
      const std::string found_text = error.what();
      EXPECT_EQ(found_text.find(file_.get().string() + ": "), 0U) << found_text;
      EXPECT_EQ(found_text.find('\n'), std::string::npos);
      return false;
    }
  }
  testing::TemporaryPath file_;
  mutable double last_sum_ = 0;
};

TEST_F(MatrixFileTest, ReadsTheRequestedRows) {
  write(small_matrix());
  const MatrixFile matrix(file_.get());
  EXPECT_EQ(matrix.rows(), 3U);
  EXPECT_EQ(matrix.columns(), 4U);
  EXPECT_EQ(matrix.nonzeros(), 3U);
  const MatrixFile::Rows part = matrix.part(1, 3);
  EXPECT_EQ(part.start, (std::vector<std::uint64_t>{0, 0, 1}));
  ASSERT_EQ(part.column.size(), 1U);
  EXPECT_EQ(part.column[0], 1U);
  EXPECT_EQ(part.value[0], 3.0);
  EXPECT_EQ(matrix.part(3, 3).start, (std::vector<std::uint64_t>{0}));
}

TEST_F(MatrixFileTest, ATruncatedFileIsRefused) {
  const std::vector<char> whole = small_matrix();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_FALSE(reads()) << size << " bytes";
  }
}

TEST_F(MatrixFileTest, IndicesOutOfRangeAreRefused) {
  const auto refused = [&](std::size_t at, std::uint64_t number) {
    std::vector<char> bytes = small_matrix();
    std::memcpy(bytes.data() + at, &number, sizeof number);
    write(bytes);
    EXPECT_FALSE(reads()) << number << " at byte " << at;
  };
  refused(0, 0);                                                                // magic
  for (const std::size_t at : {16U, 24U, 32U}) refused(at, ~std::uint64_t{0});  // rows, columns, nonzeros
  refused(16, std::uint64_t{1} << 60U);
  for (const std::size_t at : {40U, 48U, 56U}) {
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{1} << 63U})
      refused(at, offset);
  }
  refused(64, 1);   // the first row begins at 1
  refused(72, 77);  // the second outside
  refused(80, 1);   // the third before the second
  refused(88, 2);   // the last ends before the end
}

TEST_F(MatrixFileTest, WithFlippedBytesIsReadOrRefused) {
  std::mt19937 random(7);
  int taken = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<char> bytes = small_matrix();
    for (int flips = 1 + trial % 3; flips > 0; --flips) {
      bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
    }
    write(bytes);
    if (reads()) ++taken;
  }
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken, 300);
}

/// Limits this process to `more_bytes` of address space beyond what it uses.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(std::size_t more_bytes) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more_bytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  AddressSpaceLimit(const AddressSpaceLimit&) = delete;
  AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;
  ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

TEST_F(MatrixFileTest, AFailedMappingIsReportedWithItsReason) {
  write(small_matrix());
  std::filesystem::resize_file(file_.get(), std::uintmax_t{4} << 30U);  // sparse
  EXPECT_TRUE(reads());
  const std::string reported = testing::refusal_of<std::invalid_argument>([&] {
    const AddressSpaceLimit limit(std::size_t{1} << 30U);
    const MatrixFile matrix(file_.get());
  });
  EXPECT_TRUE(testing::has(reported, "cannot be mapped, 4294967296 bytes (Cannot allocate memory)"));
}

TEST_F(MatrixFileTest, AMissingFileIsRefused) {
  EXPECT_THROW(MatrixFile("/nowhere/at/all"), std::invalid_argument);
  EXPECT_THROW(MatrixFile("/dev/null"), std::invalid_argument);
  EXPECT_THROW(MatrixFile("/"), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::kernel
