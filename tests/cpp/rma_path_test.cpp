// SPDX-License-Identifier: BSD-3-Clause
// The choice of a path, case by case, as docs/runtime.md has it.
#include <gtest/gtest.h>

#include <stretto/error.hpp>

#include "rma/path/choose_path.hpp"

namespace stretto::rma {
namespace {

TEST(Path, ANeighbourIsReachedDirectlyWhateverTheOperation) {
  for (const Kind kind : {Kind::put, Kind::get, Kind::accumulate, Kind::atomic}) {
    EXPECT_EQ(choose_path({}, {.kind = kind, .neighbour = true}), Path::direct);
    EXPECT_EQ(choose_path({}, {.kind = kind, .contiguous = false, .neighbour = true}), Path::direct);
  }
}

TEST(Path, ContiguousOnesGoFarAsTheRulesSay) {
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, {.kind = Kind::get}), Path::rma);
  EXPECT_EQ(choose_path({.contiguous = Path::message}, {.kind = Kind::put}), Path::message);
  EXPECT_EQ(choose_path({.contiguous = Path::rma, .rma_works = false}, {.kind = Kind::put}), Path::message);
}

TEST(Path, WhatMpiIsSlowOrWrongAtGoesPacked) {
  const PathRules rules{.contiguous = Path::rma};
  EXPECT_EQ(choose_path(rules, {.kind = Kind::put, .contiguous = false}), Path::message);
  EXPECT_EQ(choose_path(rules, {.kind = Kind::accumulate}), Path::message);
  EXPECT_EQ(choose_path(rules, {.kind = Kind::atomic}), Path::message);
  EXPECT_EQ(choose_path(rules, {.kind = Kind::put, .flagged = true}), Path::message);
}

TEST(Path, ForcedIsForced) {
  for (const Path path : {Path::direct, Path::rma, Path::message}) {
    EXPECT_EQ(choose_path({.forced = path}, {.kind = Kind::put, .neighbour = true}), path);
    EXPECT_EQ(choose_path({.forced = path}, {.kind = Kind::get, .contiguous = false, .neighbour = true}),
              path);
  }
  EXPECT_EQ(choose_path({.forced = Path::message}, {.kind = Kind::atomic, .neighbour = true}), Path::message);
  EXPECT_THROW((void)choose_path({.forced = Path::direct}, {.kind = Kind::put}), ArgumentError);
}

TEST(Path, UpdatesAreNeverMpisOwn) {
  for (const Kind kind : {Kind::accumulate, Kind::atomic}) {
    EXPECT_EQ(choose_path({.forced = Path::rma}, {.kind = kind, .neighbour = true}), Path::direct);
    EXPECT_EQ(choose_path({.forced = Path::rma}, {.kind = kind}), Path::message);
  }
  EXPECT_EQ(choose_path({.forced = Path::rma}, {.kind = Kind::put, .flagged = true}), Path::message);
}

}  // namespace
}  // namespace stretto::rma
