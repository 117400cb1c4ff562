// SPDX-License-Identifier: BSD-3-Clause
// The choice of a path, case by case, as in docs/runtime.md.
#include <gtest/gtest.h>

#include <stretto/error.hpp>

#include "onesided/path/choose_path.hpp"
#include "onesided/path/explain_path.hpp"

namespace stretto::onesided {
namespace {

TEST(Path, ARankOfTheNodeIsReachedDirectlyByEveryOperation) {
  for (const OperationKind kind :
       {OperationKind::put, OperationKind::get, OperationKind::accumulate, OperationKind::atomic}) {
    EXPECT_EQ(choose_path({}, {.kind = kind, .node_local = true}), Path::direct);
    EXPECT_EQ(choose_path({}, {.kind = kind, .contiguous = false, .node_local = true}), Path::direct);
  }
}

TEST(Path, ContiguousTransfersFollowTheRules) {
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, {.kind = OperationKind::get}), Path::rma);
  EXPECT_EQ(choose_path({.contiguous = Path::message}, {.kind = OperationKind::put}), Path::message);
  EXPECT_EQ(choose_path({.contiguous = Path::rma, .rma_works = false}, {.kind = OperationKind::put}),
            Path::message);
}

TEST(Path, TransfersThatMpiHandlesBadlyArePacked) {
  const PathRules rules{.contiguous = Path::rma};
  EXPECT_EQ(choose_path(rules, {.kind = OperationKind::put, .contiguous = false}), Path::message);
  EXPECT_EQ(choose_path(rules, {.kind = OperationKind::accumulate}), Path::message);
  EXPECT_EQ(choose_path(rules, {.kind = OperationKind::atomic}), Path::message);
  EXPECT_EQ(choose_path(rules, {.kind = OperationKind::put, .flagged = true}), Path::message);
}

TEST(Path, LargeRowsAreNotPacked) {
  const PathQuery rows{.kind = OperationKind::put, .contiguous = false, .large = true};
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, rows), Path::rma);
  EXPECT_EQ(choose_path({.contiguous = Path::rma, .rma_works = false}, rows), Path::message);
  EXPECT_EQ(explain_path({.contiguous = Path::message}, rows, true).protocol, Protocol::rendezvous);
  PathQuery updates = rows;
  updates.kind = OperationKind::accumulate;
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, updates), Path::message);
  updates.flagged = true;
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, updates), Path::message);
}

TEST(Path, TheFlagOfLargeDataFollowsItOverRma) {
  const PathQuery query{.kind = OperationKind::put, .flagged = true, .large = true};
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, query), Path::rma);
  EXPECT_EQ(choose_path({.forced = Path::rma}, query), Path::rma);
  EXPECT_EQ(choose_path({.contiguous = Path::message}, query), Path::message);
  EXPECT_EQ(choose_path({.contiguous = Path::rma, .rma_works = false}, query), Path::message);
  PathQuery strided = query;
  strided.contiguous = false;
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, strided), Path::rma);
  strided.large = false;
  EXPECT_EQ(choose_path({.contiguous = Path::rma}, strided), Path::message);
}

TEST(Path, TheProtocolIsThatOfThePathAndTheSize) {
  const PathRules messages{.contiguous = Path::message};
  const auto protocol = [&](const PathQuery& query, bool receives_segments) {
    const ProtocolChoice choice = explain_path(messages, query, receives_segments);
    EXPECT_FALSE(choice.reason.empty());
    return choice.protocol;
  };
  EXPECT_EQ(protocol({.node_local = true}, true), Protocol::direct);
  EXPECT_EQ(protocol({.large = true}, true), Protocol::rendezvous);
  EXPECT_EQ(protocol({.flagged = true, .large = true}, true), Protocol::rendezvous);
  EXPECT_EQ(protocol({.large = true}, false), Protocol::eager);
  EXPECT_EQ(protocol({}, true), Protocol::eager);
  EXPECT_EQ(protocol({.contiguous = false, .large = true}, true), Protocol::rendezvous);
  EXPECT_EQ(protocol({.contiguous = false}, true), Protocol::eager);
  EXPECT_EQ(protocol({.kind = OperationKind::get, .large = true}, false), Protocol::rendezvous);
  EXPECT_EQ(protocol({.kind = OperationKind::atomic}, true), Protocol::eager);
  EXPECT_EQ(explain_path({.contiguous = Path::rma}, {.large = true}, false).protocol, Protocol::rma);
  EXPECT_EQ(to_string(Protocol::rendezvous), "rendezvous");
}

TEST(Path, ForcedIsForced) {
  for (const Path path : {Path::direct, Path::rma, Path::message}) {
    EXPECT_EQ(choose_path({.forced = path}, {.kind = OperationKind::put, .node_local = true}), path);
    EXPECT_EQ(
        choose_path({.forced = path}, {.kind = OperationKind::get, .contiguous = false, .node_local = true}),
        path);
  }
  EXPECT_EQ(choose_path({.forced = Path::message}, {.kind = OperationKind::atomic, .node_local = true}),
            Path::message);
  EXPECT_THROW((void)choose_path({.forced = Path::direct}, {.kind = OperationKind::put}), ArgumentError);
}

TEST(Path, UpdatesNeverUseMpiRma) {
  for (const OperationKind kind : {OperationKind::accumulate, OperationKind::atomic}) {
    EXPECT_EQ(choose_path({.forced = Path::rma}, {.kind = kind, .node_local = true}), Path::direct);
    EXPECT_EQ(choose_path({.forced = Path::rma}, {.kind = kind}), Path::message);
  }
  EXPECT_EQ(choose_path({.forced = Path::rma}, {.kind = OperationKind::put, .flagged = true}), Path::message);
}

}  // namespace
}  // namespace stretto::onesided
