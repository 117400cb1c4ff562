// SPDX-License-Identifier: BSD-3-Clause
// What all ranks say of the program is one table: files with all their build ids, places with their callers.
#include "analysis/program.hpp"

#include <gtest/gtest.h>

#include <string>

namespace stretto::analysis {
namespace {

record::Record defined(record::Defined what, int number) {
  record::Record record;
  record.request = what;
  record.peer = number;
  return record;
}

/// A rank with the file "app" as `module`, and two call sites in it.
replay::TraceDefinitions definitions(int module, const std::string& build_id, std::uint64_t caller) {
  replay::TraceDefinitions all;
  all.take(defined(record::module, module), "app");
  if (!build_id.empty()) all.take(defined(record::build_id, module), build_id);
  for (int number : {1, 2}) {
    record::Record site = defined(record::site, number);
    site.tag = module;
    site.extra = 16 * static_cast<std::uint64_t>(number);
    all.take(site, "");
  }
  const record::Caller callers[] = {{static_cast<std::uint64_t>(module), caller}, {1ULL << 40U, 7}};
  const std::string payload(reinterpret_cast<const char*>(callers), sizeof callers);
  if (caller != 0) all.take(defined(record::callers, 2), payload);
  return all;
}

TEST(Program, IsThatOfAllRanks) {
  Program all;
  Program one;
  one.records = 3;
  one.add(definitions(5, "", 0));
  all.add(one);
  one = {};
  one.records = 4;
  one.add(definitions(0, {"\x01\xaf", 2}, 100));
  all.add(one);
  one = {};
  one.add(definitions(2, {"\x02", 1}, 200));
  one.add(replay::TraceDefinitions());
  all.add(one);
  EXPECT_EQ(all.records, 7U);
  ASSERT_EQ(all.modules.size(), 1U);
  EXPECT_EQ(all.modules["app"], (std::set<std::string>{"01af", "02"}));
  ASSERT_EQ(all.call_sites.size(), 2U);
  EXPECT_TRUE((all.call_sites[{"app", 16}].empty()));
  // Of the first rank that recorded them; no module has a number that large.
  EXPECT_EQ((all.call_sites[{"app", 32}]), (std::vector<Place>{{"app", 100}, {"", 7}}));
}

}  // namespace
}  // namespace stretto::analysis
