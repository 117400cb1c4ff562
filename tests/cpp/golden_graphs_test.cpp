// SPDX-License-Identifier: BSD-3-Clause
// Schedules of random steps, evaluated as by an independent implementation (tests/golden).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "network/draws.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network::golden_graphs_test {
namespace {

/// `["compute", PARTS, SEGMENT]`, `["start", HOP, SIZE, OPERATION, SEGMENT]`, `["finish", MESSAGE]`,
/// `["await", MESSAGE]`
void append(ScheduleGraph& schedule, const Json& step) {
  const std::string kind = step[0];
  if (kind == "compute") {
    schedule.compute(step[1], schedule.segment(step[2].get<std::string>()));
  } else if (kind == "start") {
    const auto all = {TransferOperation::put, TransferOperation::get, TransferOperation::send};
    const auto* const operation =
        std::ranges::find_if(all, [&](TransferOperation one) { return name_of(one) == step[3]; });
    schedule.start(step[1], step[2], *operation, schedule.segment(step[4].get<std::string>()));
  } else if (kind == "finish") {
    schedule.finish(step[1]);
  } else {
    schedule.await(step[1]);
  }
}

/// The answer to a request.
Json times_of(const Json& asked) {
  const RequestMembers request(asked, "request");
  ScheduleGraph schedule{
      .name = "graph", .ranks = asked["ranks"].get<int>(), .parts = asked["parts"].get<int>()};
  for (const Json& step : asked["steps"]) append(schedule, step);
  const DrawnPath path(request.object("path"));
  std::optional<Draws> barrier_s;
  if (request.has("barrier_s")) barrier_s = Draws(request.numbers("barrier_s"));
  return times_json(schedule,
                    evaluate_draws(schedule, request, path, Draws(request.numbers("work_s")), barrier_s));
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double longest_s) {
  constexpr double tolerance = 1e-9;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance * std::max(expected[i], longest_s));
  }
}

TEST(GoldenGraphs, TimesAreThoseOfTheSample) {
  std::ifstream file(STRETTO_GOLDEN "/model-schedules.json");
  const Json cases = Json::parse(file)["graph"];
  ASSERT_GE(cases.size(), 40);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    const Json& expected = cases[i]["answer"];
    const Json found = times_of(cases[i]["request"]);
    const auto total_s = expected["total_s"].get<std::vector<double>>();
    const double longest_s = *std::ranges::max_element(total_s);
    expect_near(found["total_s"], total_s, longest_s);
    ASSERT_EQ(found["segments_s"].size(), expected["segments_s"].size());
    for (const auto& [name, seconds] : expected["segments_s"].items()) {
      expect_near(found["segments_s"][name], seconds, longest_s);
    }
  }
}

}  // namespace
}  // namespace stretto::network::golden_graphs_test
