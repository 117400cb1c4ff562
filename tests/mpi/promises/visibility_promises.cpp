// SPDX-License-Identifier: BSD-3-Clause
// The promises of visibility: V1 and the following of docs/runtime.md.
#include "started.hpp"

namespace stretto::testing::promises {
namespace {

// V1
void call_sees_put(Try& t) {
  const auto source = t.data();
  put(t.region, t.place(), source);
  const CallPayload copy{.to = t.slot.word(11), .from = t.slot.begin + t.size - sizeof(std::uint64_t)};
  t.function->call(t.peer, std::span(&copy, 1));
  t.runtime.fence(t.peer);
  std::uint64_t last = 0;
  std::memcpy(&last, source.data() + t.size - sizeof last, sizeof last);
  t.expect_word(11, last, "what the function found");
}

void store_here(Try& t, const std::vector<std::byte>& data) {
  std::memcpy(t.region.local().data() + t.slot.begin, data.data(), data.size());
}

void expect_got(Try& t, const std::vector<std::byte>& expected) {
  std::vector<std::byte> sink(t.size);
  get(t.region, t.place(), sink);
  t.expect(sink == expected, "the owner's stores are not what a get returns");
}

// V2
void get_after_barrier(Try& t) {
  t.runtime.barrier();
  expect_got(t, t.data(7));
}

void store_before_barrier(Try& t) {
  store_here(t, t.data(7));
  t.runtime.barrier();
}

// V3
void get_after_signal(Try& t) {
  (void)wait_signal(t.region,
                    {.offset = t.slot.word(12), .value = t.stamp(), .comparison = Comparison::equal});
  expect_got(t, t.data(5));
}

void store_before_signal(Try& t) {
  store_here(t, t.data(5));
  raise_signal(t.region, t.peer, {.offset = t.slot.word(12), .value = t.stamp(), .add = false});
  t.runtime.fence(t.peer);
}

}  // namespace

std::vector<Promise> visibility_promises() {
  return {
      {"V1", call_sees_put, nullptr, {.calls = true}},
      {"V2", get_after_barrier, store_before_barrier, {.one_caller = true}, nullptr, &Runtime::barrier},
      {"V3", get_after_signal, store_before_signal},
  };
}

}  // namespace stretto::testing::promises
