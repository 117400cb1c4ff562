// SPDX-License-Identifier: BSD-3-Clause
// The lines of a rank whose calls and messages are known.
#include "analysis/listing.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "trace_writing.hpp"

namespace stretto::analysis {
namespace {

using namespace replay::trace_test;

TEST(Listing, HasEachCallAndEachEndOfAMessage) {
  TraceWriter one(0, 2);
  one.message(irecv, 2000, 0, 8, 1);  // of a message to itself, of which both ends are in this file
  one.message(send, 3000, 0, 8);
  one.call(wait, 4000, 500);
  one.call(record::completion, 4000).request = 1;
  one.message(send, 5000, 1, 16);
  const TemporaryDirectory directory;
  std::ostringstream lines;
  write_listing(write_bytes(directory.file("rank-0.trace"), one.bytes()), lines);
  EXPECT_EQ(lines.str(),
            "place 0 \"\"\n"
            "call 0 16 0 1000 0 0 0\n"
            "call 0 20 2000 2100 0 0 8\n"
            "call 0 17 3000 3100 0 0 8\n"
            "send 0 0 0 1 0 0 3000 8 0\n"
            "call 0 21 4000 4500 0 0 0\n"
            "receive 0 0 0 1 0 0 4500 8 2000\n"
            "call 0 17 5000 5100 0 1 16\n"
            "send 0 0 1 1 0 0 5000 16 0\n"
            "records 6\n");
}

}  // namespace
}  // namespace stretto::analysis
