// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <stdexcept>

#include "probe/schedule_names.hpp"

namespace stretto::probe {
namespace {

struct Messages {
  std::size_t count = 0;  // including the rank's own pieces
  std::size_t size_bytes = 0;
};

Messages messages(const FtProblem& problem, const FtSchedule& schedule) {
  const std::size_t chunks = chunks_of(schedule, problem);
  Messages found;
  for_each_piece(problem, chunks, 3, [&](const FtPiece& piece) {
    ++found.count;
    EXPECT_EQ(piece.size_bytes, problem.bytes() / chunks);
    found.size_bytes = piece.size_bytes;
  });
  return found;
}

// One-sided slides: 512^3 on 64 ranks are 8 planes of 512 x 512 a rank, that is 4096 rows of 512.
TEST(FtSchedule, MessagesOfTheSlides) {
  const FtProblem cube{.rows = 8 * 512, .row_length = 512, .ranks = 64, .planes = 8};
  const Messages exchange = messages(cube, {.kind = FtKind::exchange});
  EXPECT_EQ(exchange.count, 64U);
  EXPECT_EQ(exchange.size_bytes, 512U << 10);
  const Messages slabs = messages(cube, {.kind = FtKind::slabs});
  EXPECT_EQ(slabs.count, 512U);
  EXPECT_EQ(slabs.size_bytes, 64U << 10);
  const Messages pencils = messages(cube, {.kind = FtKind::pencils});
  EXPECT_EQ(pencils.count, 4096U);
  EXPECT_EQ(pencils.size_bytes, 8U << 10);
}

// Architectural probes, section 6.2: algorithms 3 and 4 send P messages, algorithm 5 N.
TEST(FtSchedule, MessagesOfThePaper) {
  const FtProblem problem{.rows = 8192, .row_length = 512, .ranks = 32};
  EXPECT_EQ(chunks_of({.kind = FtKind::exchange}, problem), 32U);
  EXPECT_EQ(chunks_of({.kind = FtKind::slabs}, problem), 32U);
  EXPECT_EQ(chunks_of({.kind = FtKind::pencils}, problem), 8192U);
}

// Every row is transformed once, before the first piece with any of its elements. Every byte is sent once
// and received once.
void expect_all_covered(const FtProblem& problem, std::size_t chunks) {
  for (std::size_t from = 0; from < problem.ranks; ++from) {
    std::vector<int> transformed(problem.rows, 0);
    std::vector<int> sent(problem.bytes(), 0);
    for_each_piece(problem, chunks, from, [&](const FtPiece& piece) {
      for (std::size_t row = piece.first_row; row < piece.end_row; ++row) ++transformed[row];
      const std::size_t last_row = (piece.offset_bytes + piece.size_bytes - 1) / problem.row_bytes();
      for (std::size_t row = piece.offset_bytes / problem.row_bytes(); row <= last_row; ++row) {
        EXPECT_EQ(transformed[row], 1) << "row " << row << " goes out before its transform";
      }
      for (std::size_t i = 0; i < piece.size_bytes; ++i) ++sent[piece.offset_bytes + i];
      EXPECT_EQ(piece.offset_bytes / problem.block_bytes(), piece.peer);
      EXPECT_EQ(piece.receive_offset_bytes / problem.block_bytes(), from);
      EXPECT_EQ(piece.receive_offset_bytes % problem.block_bytes(),
                piece.offset_bytes % problem.block_bytes());
    });
    EXPECT_EQ(std::count(transformed.begin(), transformed.end(), 1), static_cast<long>(problem.rows));
    EXPECT_EQ(std::count(sent.begin(), sent.end(), 1), static_cast<long>(problem.bytes()));
  }
}

TEST(FtSchedule, EveryElementIsSentOnceAfterItsTransform) {
  for (const std::size_t ranks : {1, 2, 3, 4, 8}) {
    const FtProblem problem{.rows = 6 * ranks, .row_length = 10, .ranks = ranks};
    // Whole rows, tiles of a row (X > N), and tiles across rows (X does not divide N).
    for (const std::size_t pieces : {1, 2, 3, 4, 5, 6, 12, 20, 60}) {
      expect_all_covered(problem, pieces * ranks);
    }
  }
}

TEST(FtSchedule, PencilsSendRoundRobinOwnPieceLast) {
  const FtProblem problem{.rows = 8, .row_length = 1, .ranks = 4};
  std::vector<std::size_t> rows;
  for_each_piece(problem, 8, 1, [&](const FtPiece& piece) { rows.push_back(piece.first_row); });
  EXPECT_EQ(rows, (std::vector<std::size_t>{4, 6, 0, 2, 5, 7, 1, 3}));  // algorithm 5 at myid = 1
}

TEST(FtSchedule, IndivisibleSizesAreRefused) {
  EXPECT_THROW(require_divisible({.rows = 32, .row_length = 8, .ranks = 3}), std::invalid_argument);
  EXPECT_THROW(require_divisible({.rows = 32, .row_length = 8, .ranks = 4, .planes = 3}),
               std::invalid_argument);
  EXPECT_NO_THROW(require_divisible({.rows = 33, .row_length = 8, .ranks = 3}));
  const FtProblem problem{.rows = 32, .row_length = 8, .ranks = 4};
  EXPECT_THROW((void)chunks_of(ft_schedule_from("chunks=6"), problem), std::invalid_argument);   // 6 % 4
  EXPECT_THROW((void)chunks_of(ft_schedule_from("chunks=12"), problem), std::invalid_argument);  // 256 % 12
  EXPECT_EQ(chunks_of(ft_schedule_from("chunks=128"), problem), 128U);
}

TEST(FtSchedule, NamesAreReadBack) {
  for (const char* name : {"exchange", "slabs", "pencils", "chunks=16"}) {
    EXPECT_TRUE(is_ft_schedule(name));
    EXPECT_EQ(name_of(ft_schedule_from(name)), name);
  }
  EXPECT_FALSE(is_ft_schedule("bulk"));
  for (const char* name : {"chunks", "chunks=", "chunks=0", "chunks=4x", "planes"}) {
    EXPECT_THROW((void)ft_schedule_from(name), std::invalid_argument) << name;
  }
}

}  // namespace
}  // namespace stretto::probe
