// SPDX-License-Identifier: BSD-3-Clause
// The promises of completion: C1 and the following of docs/runtime.md.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <stretto/accumulate.hpp>
#include <stretto/aggregate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/completion.hpp>
#include <stretto/signal.hpp>
#include <stretto/team_collective.hpp>
#include <stretto/transfer.hpp>
#include <thread>

#include "started.hpp"

namespace stretto::testing::promises {
namespace {

void spoil(std::vector<std::byte>& bytes) { std::ranges::fill(bytes, std::byte{0x5A}); }

/// Two rows next to each other, so that the target has the bytes in one piece: a transfer that is not
/// contiguous. One row where there is no second one.
struct Rows {
  explicit Rows(std::size_t size)
      : counts{size >= 16 ? size / 16 * 8 : size, size >= 16 ? std::size_t{2} : std::size_t{1}},
        strides{counts[0]} {}
  [[nodiscard]] Strided shape() const {
    return {.counts = counts, .local_strides = strides, .remote_strides = strides};
  }
  [[nodiscard]] std::size_t size() const { return counts[0] * counts[1]; }
  std::array<std::size_t, 2> counts;
  std::array<std::size_t, 1> strides;
};

void until_tested(const std::function<bool()>& test) {
  while (!test()) std::this_thread::yield();
}

// C1
void put_returns(Try& t) {
  auto source = t.data();
  const auto expected = source;
  const Rows rows(t.size);
  if (t.turn % 2 == 0) {
    put(t.region, t.place(), source);
  } else {
    put(t.region, t.place(), source.data(), rows.shape());
  }
  spoil(source);
  t.runtime.fence(t.peer);
  const std::size_t size = t.turn % 2 == 0 ? t.size : rows.size();
  t.expect_data({expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(size)});
}

// C2
void get_returns(Try& t) {
  const auto there = t.view.read(t.peer, t.slot.begin, t.size);
  std::vector<std::byte> sink(t.size, std::byte{1});
  get(t.region, t.place(), sink);
  t.expect(sink == there, "what get returns is not what the target has");
}

// C3
void fetch_returns(Try& t) {
  const Place word{.target = t.peer, .offset = t.slot.word(1)};
  const std::uint64_t before = t.view.word(t.peer, word.offset);
  t.expect(fetch_add(t.region, word, std::uint64_t{3}) == before, "fetch_add returned another value");
  t.expect_word(1, before + 3, "the sum");
  t.expect(swap(t.region, word, t.stamp()) == before + 3, "swap returned another value");
  t.expect_word(1, t.stamp(), "what was swapped in");
  t.expect(compare_swap(t.region, word, t.stamp(), std::uint64_t{9}) == t.stamp(),
           "compare_swap returned another value");
  t.expect(fetch_or(t.region, word, std::uint64_t{6}) == 9, "fetch_or returned another value");
  t.expect(atomic_fetch<std::uint64_t>(t.region, word) == 15, "atomic_fetch returned another value");
}

/// A put that is started in one of five ways, and completed here.
void complete_a_put(Try& t, const std::vector<std::byte>& source) {
  switch (t.turn % 5) {
    case 0: {
      Handle handle = nonblocking::put(t.region, t.place(), source);
      return t.runtime.wait(handle);
    }
    case 1: {
      std::array<Handle, 2> handles{Handle{}, nonblocking::put(t.region, t.place(), source)};
      t.expect(t.runtime.wait_any(handles) == 1, "wait_any returned another handle");
      return;
    }
    case 2: {
      Handle handle = nonblocking::put(t.region, t.place(), source);
      return until_tested([&] { return t.runtime.test(handle); });
    }
    case 3:
      implicit::put(t.region, t.place(), source);
      return t.runtime.wait_implicit(t.peer);
    default: {
      Aggregate puts(t.runtime);
      puts.put(t.region, t.place(), source);
      return t.runtime.wait(puts);
    }
  }
}

// C4
void put_is_complete(Try& t) {
  auto source = t.data();
  const auto expected = source;
  complete_a_put(t, source);
  spoil(source);
  t.runtime.fence(t.peer);
  t.expect_data(expected);
}

// C5
void get_is_complete(Try& t) {
  const auto there = t.view.read(t.peer, t.slot.begin, t.size);
  std::vector<std::byte> sink(t.size, std::byte{1});
  if (t.turn % 4 == 0) {
    Handle handle = nonblocking::get(t.region, t.place(), sink);
    t.runtime.wait(handle);
  } else if (t.turn % 4 == 1) {
    implicit::get(t.region, t.place(), sink);
    t.runtime.wait_implicit(t.peer);
  } else if (t.turn % 4 == 2) {
    Handle handle = nonblocking::get(t.region, t.place(), sink);
    until_tested([&] { return t.runtime.test(handle); });
  } else {
    Aggregate gets(t.runtime);
    gets.get(t.region, t.place(), sink);
    t.runtime.wait(gets);
  }
  t.expect(sink == there, "what was got is not what the target has");
}

// C6
void source_is_free(Try& t) {
  auto source = t.data();
  const auto expected = source;
  Handle handle = nonblocking::put_signal(t.region, t.place(), source, t.flag());
  if (t.turn % 2 == 0) {
    wait_source(handle);
  } else {
    until_tested([&] { return test_source(handle); });
  }
  spoil(source);
  t.expect(handle.pending(), "the handle is not pending any more");
  wait_remote(handle);
  t.expect_data(expected);
}

void complete_remotely(Try& t, Handle handle) {
  if (t.turn % 2 == 0) {
    wait_remote(handle);
  } else {
    until_tested([&] { return test_remote(handle); });
  }
}

// C7
void put_is_remote(Try& t) {
  const auto source = t.data();
  complete_remotely(t, nonblocking::put(t.region, t.place(), source));
  t.expect_data(source);
}

// C8
void put_signal_is_remote(Try& t) {
  const auto source = t.data();
  const Rows rows(t.size);
  if (t.turn % 4 < 2) {
    complete_remotely(t, nonblocking::put_signal(t.region, t.place(), source, t.flag()));
    t.expect_word(0, t.stamp(), "the flag");
    return t.expect_data(source);
  }
  complete_remotely(t, nonblocking::put_signal(t.region, t.place(), source.data(), rows.shape(), t.flag()));
  t.expect_word(0, t.stamp(), "the flag");
  t.expect_data({source.begin(), source.begin() + static_cast<std::ptrdiff_t>(rows.size())});
}

// C9
void update_is_remote(Try& t) {
  const Place word{.target = t.peer, .offset = t.slot.word(2)};
  complete_remotely(t, nonblocking::atomic_set(t.region, word, t.stamp()));
  t.expect_word(2, t.stamp(), "the atomic's word");
  complete_remotely(t, nonblocking::raise_signal(t.region, t.peer, t.flag()));
  t.expect_word(0, t.stamp(), "the flag");
}

/// Numbers of which the target has the sums.
struct Sums {
  explicit Sums(const Try& t)
      : before(t.view.read(t.peer, t.slot.begin, t.size)), added(t.size), sums(t.size) {
    for (std::size_t i = 0; i < t.size; i += 8) {
      const std::uint64_t number = i + t.stamp();
      std::uint64_t sum = 0;
      std::memcpy(&sum, &before[i], 8);
      sum += number;
      std::memcpy(&added[i], &number, 8);
      std::memcpy(&sums[i], &sum, 8);
    }
  }
  std::vector<std::byte> before;
  std::vector<std::byte> added;
  std::vector<std::byte> sums;
};

// C10
void accumulate_is_remote(Try& t) {
  const Sums numbers(t);
  const std::array<std::size_t, 1> counts{t.size};
  complete_remotely(t, nonblocking::accumulate(t.region, t.place(), numbers.added.data(), {.counts = counts},
                                               Scale::of(std::int64_t{1})));
  t.expect_data(numbers.sums, "the sum");
}

// C11
void fence_of_a_target(Try& t) {
  Started started(t);
  t.runtime.fence(t.peer);
  started.expect_there();
  started.end();
}

// C12
void fence_of_all(Try& t) {
  Started started(t);
  t.runtime.fence();
  started.expect_there();
  started.end();
}

// C13
void nonblocking_fence(Try& t) {
  Started started(t);
  if (t.turn % 2 == 0) {
    Handle fence = nonblocking::fence(t.runtime, t.peer);
    t.runtime.wait(fence);
  } else {
    for (Handle& fence : nonblocking::fence(t.runtime)) until_tested([&] { return t.runtime.test(fence); });
  }
  started.expect_there();
  started.end();
}

// C14
void barrier_of_origin(Try& t) {
  const auto source = t.data();
  Handle handle;
  if (t.turn % 2 == 0) {
    handle = nonblocking::put_signal(t.region, t.place(), source, t.flag());
  } else {
    put(t.region, t.place(), source);
    raise_signal(t.region, t.peer, t.flag());
  }
  t.runtime.barrier();
  t.expect_word(0, t.stamp(), "the flag");
  t.expect_data(source);
  t.runtime.wait(handle);
}

void barrier_of_target(Try& t) {
  t.runtime.barrier();
  t.expect_here(t.data());
}

// C15
void nonblocking_barrier_of_origin(Try& t) {
  const auto source = t.data();
  Handle handle = nonblocking::put_signal(t.region, t.place(), source, t.flag());
  TeamRequest barrier = nonblocking::barrier(t.runtime.world());
  barrier.wait();
  t.expect_word(0, t.stamp(), "the flag");
  t.expect_data(source);
  t.runtime.wait(handle);
}

void nonblocking_barrier_of_target(Try& t) {
  TeamRequest barrier = nonblocking::barrier(t.runtime.world());
  until_tested([&] { return barrier.test(); });
  t.expect_here(t.data());
}

void nonblocking_barrier_of_others(Runtime& runtime) { nonblocking::barrier(runtime.world()).wait(); }

// C16
void signal_of_origin(Try& t) {
  const auto source = t.data();
  if (t.turn % 2 == 0) return put_signal(t.region, t.place(), source, t.flag());
  Handle handle = nonblocking::put_signal(t.region, t.place(), source, t.flag());
  t.runtime.wait(handle);
}

void signal_of_target(Try& t) {
  const SignalCondition raised{.offset = t.slot.word(0), .value = t.stamp(), .comparison = Comparison::equal};
  switch (t.turn % 4) {
    case 0:
      (void)wait_signal(t.region, raised);
      break;
    case 1:
      until_tested([&] { return test_signal(t.region, raised); });
      break;
    case 2:
      wait_all_signals(t.region, std::array{raised});
      break;
    default:
      (void)wait_any_signal(t.region, std::array{raised});
  }
  t.expect_here(t.data());
}

// C17
void notify_of_origin(Try& t) {
  Started started(t);
  t.runtime.notify(t.peer);
  started.end();
}

void notify_of_target(Try& t) {
  t.runtime.wait_notify(t.peer);
  t.expect_here(t.data());
  std::uint64_t raised = 0;
  std::memcpy(&raised, t.region.local().data() + t.slot.word(0), sizeof raised);
  t.expect(raised == t.stamp(), "the flag is not raised");
}

// C18
void call_returns(Try& t) {
  CallPayload payload{.to = t.slot.word(7), .value = t.stamp()};
  t.function->call(t.peer, std::span(&payload, 1));
  payload = {.to = t.slot.word(8)};
  t.runtime.fence(t.peer);
  t.expect_word(7, t.stamp(), "what the function stored");
}

// C19
void fence_of_a_call(Try& t) {
  for (std::uint64_t more = 0; more < 3; ++more) {
    const CallPayload payload{.to = t.slot.word(9), .value = t.stamp() * 3 + more};
    t.function->call(t.peer, std::span(&payload, 1));
  }
  t.runtime.fence();
  t.expect_word(9, t.stamp() * 3 + 2, "what the function stored");
}

}  // namespace

std::vector<Promise> completion_promises() {
  return {
      {"C1", put_returns},
      {"C2", get_returns},
      {"C3", fetch_returns, nullptr, {.word = true}},
      {"C4", put_is_complete},
      {"C5", get_is_complete},
      {"C6", source_is_free},
      {"C7", put_is_remote},
      {"C8", put_signal_is_remote},
      {"C9", update_is_remote, nullptr, {.word = true}},
      {"C10", accumulate_is_remote},
      {"C11", fence_of_a_target},
      {"C12", fence_of_all},
      {"C13", nonblocking_fence},
      {"C14", barrier_of_origin, barrier_of_target, {.one_caller = true}, nullptr, &Runtime::barrier},
      {"C15",
       nonblocking_barrier_of_origin,
       nonblocking_barrier_of_target,
       {.one_caller = true},
       nullptr,
       nonblocking_barrier_of_others},
      {"C16", signal_of_origin, signal_of_target},
      {"C17", notify_of_origin, notify_of_target, {.one_caller = true}},
      {"C18", call_returns, nullptr, {.word = true, .calls = true}},
      {"C19", fence_of_a_call, nullptr, {.word = true, .calls = true}},
  };
}

}  // namespace stretto::testing::promises
