// SPDX-License-Identifier: BSD-3-Clause
// Shapes are traversed in the same order and to the same bytes for any chunk size.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <stretto/error.hpp>
#include <vector>

#include "onesided/path/layout.hpp"

namespace stretto::onesided {
namespace {

using Bytes = std::vector<std::pair<std::size_t, std::size_t>>;  // local place and remote offset of each byte

std::array<std::byte, 4096> memory;

Bytes bytes_of(const Layout& layout) {
  Bytes bytes;
  layout.for_each([&](const Piece& piece) {
    for (std::size_t i = 0; i < piece.size_bytes; ++i) {
      bytes.emplace_back(static_cast<std::size_t>(piece.local - memory.data()) + i, piece.offset + i);
    }
  });
  return bytes;
}

Bytes bites_of(const Layout& layout, std::size_t bite) {
  Bytes bytes;
  for (Cursor cursor(layout); !cursor.done();) {
    const Piece piece = cursor.next();
    const std::size_t size = std::min(bite, piece.size_bytes);
    for (std::size_t i = 0; i < size; ++i) {
      bytes.emplace_back(static_cast<std::size_t>(piece.local - memory.data()) + i, piece.offset + i);
    }
    cursor.advance(size);
  }
  return bytes;
}

Layout three_levels() {
  const std::array<std::size_t, 4> counts{3, 2, 4, 2};
  const std::array<std::size_t, 3> here{5, 20, 200};
  const std::array<std::size_t, 3> there{7, 30, 300};
  return Layout::strided({.local = memory.data(), .offset = 10},
                         {.counts = counts, .local_strides = here, .remote_strides = there});
}

TEST(Layout, AStridedLayoutEqualsItsLoops) {
  const Layout layout = three_levels();
  Bytes expected;
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t b = 0; b < 3; ++b) {
          expected.emplace_back(5 * i + 20 * j + 200 * k + b, 10 + 7 * i + 30 * j + 300 * k + b);
        }
      }
    }
  }
  EXPECT_EQ(bytes_of(layout), expected);
  EXPECT_EQ(layout.size_bytes(), 48U);
  EXPECT_EQ(layout.remote_end(), 10U + 7 + 90 + 300 + 3);
}

TEST(Layout, ChunksOfAnySizeGiveTheSameBytes) {
  std::vector<Piece> pieces{{memory.data() + 9, 4, 0},
                            {memory.data() + 90, 40, 5},
                            {memory.data() + 5, 1, 0},
                            {memory.data() + 30, 2, 11},
                            {memory.data(), 7, 0}};
  for (const Layout& layout :
       {three_levels(), Layout::vector(pieces), Layout::contiguous({memory.data(), 3, 100}),
        Layout::contiguous({memory.data(), 3, 0})}) {
    for (const std::size_t bite : {1, 2, 3, 7, 1000})
      EXPECT_EQ(bites_of(layout, bite), bytes_of(layout)) << bite;
  }
}

TEST(Layout, AnEmptyLayoutHasNoEnd) {
  const std::array<std::size_t, 2> counts{8, 0};
  const std::array<std::size_t, 1> strides{16};
  const Layout none =
      Layout::strided({.local = memory.data(), .offset = 99},
                      {.counts = counts, .local_strides = strides, .remote_strides = strides});
  EXPECT_EQ(none.size_bytes(), 0U);
  EXPECT_EQ(none.remote_end(), 0U);
  EXPECT_TRUE(Cursor(none).done());
  EXPECT_TRUE(bytes_of(none).empty());
}

TEST(Layout, AnInvalidShapeIsRefusedByName) {
  const std::array<std::size_t, 2> counts{8, 4};
  const std::array<std::size_t, 2> two{16, 16};
  const Piece first{.local = memory.data()};
  const auto refused = [&](const Strided& shape) {
    try {
      (void)Layout::strided(first, shape);
      return std::string("accepted");
    } catch (const ArgumentError& error) {
      return error.argument();
    }
  };
  EXPECT_EQ(refused({}), "shape");
  EXPECT_EQ(refused({.counts = counts, .local_strides = two, .remote_strides = two}), "shape");
  const std::array<std::size_t, 2> huge{8, std::numeric_limits<std::size_t>::max() / 4};
  const std::array<std::size_t, 1> one{16};
  EXPECT_EQ(refused({.counts = huge, .local_strides = one, .remote_strides = one}), "shape");
}

TEST(Layout, OverlapIsCheckedPieceByPiece) {
  const std::array<std::size_t, 2> counts{8, 10};
  const std::array<std::size_t, 1> strides{64};
  const Strided column{.counts = counts, .local_strides = strides, .remote_strides = strides};
  const auto overlaps = [&](std::size_t here, std::size_t there) {
    return Layout::strided({.local = memory.data() + here, .offset = there}, column).overlaps(memory.data());
  };
  EXPECT_FALSE(overlaps(0, 8));  // the next column of one matrix
  EXPECT_TRUE(overlaps(0, 7));
  EXPECT_TRUE(overlaps(0, 64));  // the same column, a row further
  EXPECT_FALSE(overlaps(0, 640));
  EXPECT_TRUE(Layout::contiguous({memory.data(), 99, 100}).overlaps(memory.data()));
  EXPECT_FALSE(Layout::contiguous({memory.data(), 100, 100}).overlaps(memory.data()));
}

TEST(Layout, OverlapOfAVectorIsFoundInAnyOrderOfItsPieces) {
  const auto overlaps = [&](std::size_t second_place) {
    // Sources at 1000 and 200; destinations at 600 and at the tested place.
    return Layout::vector({{memory.data() + 1000, 600, 50}, {memory.data() + 200, second_place, 50}})
        .overlaps(memory.data());
  };
  EXPECT_FALSE(overlaps(300));
  EXPECT_FALSE(overlaps(250)) << "begins where a source ends";
  EXPECT_FALSE(overlaps(150)) << "ends where a source begins";
  EXPECT_TRUE(overlaps(249));
  EXPECT_TRUE(overlaps(151));
  EXPECT_TRUE(overlaps(1049)) << "the source of the other piece";
  EXPECT_FALSE(overlaps(1050));
}

TEST(Layout, OverlapIsFoundAfterDisjointPieces) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < 10; ++i) pieces.push_back({memory.data() + 100 * i, 100 * i + 50, 50});
  EXPECT_FALSE(Layout::vector(pieces).overlaps(memory.data()));
  for (std::size_t wrong = 0; wrong < pieces.size(); ++wrong) {
    std::vector<Piece> changed = pieces;
    changed[wrong].size_bytes = 51;
    EXPECT_TRUE(Layout::vector(changed).overlaps(memory.data())) << wrong;
  }
}

TEST(Layout, APieceWithoutBytesOverlapsNothing) {
  EXPECT_FALSE(Layout::vector({{memory.data(), 0, 0}, {memory.data() + 8, 100, 8}}).overlaps(memory.data()));
}

}  // namespace
}  // namespace stretto::onesided
