// SPDX-License-Identifier: BSD-3-Clause
// The promises of order: O1 and the following of docs/runtime.md.
#include <array>
#include <atomic>
#include <optional>
#include <stretto/accumulate.hpp>
#include <thread>

#include "started.hpp"

namespace stretto::testing::promises {
namespace {

/// The data as two rows: a transfer of them is not contiguous.
struct Halves {
  explicit Halves(std::size_t size) : counts{size / 2, 2}, strides{size / 2} {}
  [[nodiscard]] Strided shape() const {
    return {.counts = counts, .local_strides = strides, .remote_strides = strides};
  }
  std::array<std::size_t, 2> counts;
  std::array<std::size_t, 1> strides;
};

/// Overwrites the data in one blocking call, of another kind from step to step.
void overwrite(Try& t, unsigned step, const std::vector<std::byte>& source) {
  const std::size_t row = t.size / 2;
  switch ((t.turn + step) % 4) {
    case 0:
      return put(t.region, t.place(), source);
    case 1:
      return put(t.region, t.place(), source.data(), Halves(t.size).shape());
    case 2:
      return put_signal(t.region, t.place(), source, t.flag());
    default: {
      const std::array<PutPiece, 2> pieces{
          {{source.data(), t.slot.begin, row}, {source.data() + row, t.slot.begin + row, t.size - row}}};
      return put(t.region, t.peer, std::span<const PutPiece>(pieces));
    }
  }
}

// O1
void blocking_order(Try& t) {
  for (unsigned step = 0; step < 4; ++step) overwrite(t, step, t.data(step));
  std::vector<std::byte> sink(t.size);
  if (t.turn % 2 == 0) {
    get(t.region, t.place(), sink);
  } else {
    get(t.region, t.place(), sink.data(), Halves(t.size).shape());
  }
  t.expect(sink == t.data(3), "a get overtook a put");
  const Place word{.target = t.peer, .offset = t.slot.word(8)};
  const std::uint64_t stamp = t.stamp();
  put(t.region, word, std::span(&stamp, 1));
  t.expect(fetch_add(t.region, word, std::uint64_t{1}) == stamp, "an atomic overtook a put");
  put(t.region, word, std::span(&stamp, 1));
  t.runtime.fence(t.peer);
  t.expect_word(8, stamp, "the word that was put last");
  t.expect_data(t.data(3), "what was put last");
}

// O2
void nonblocking_after_blocking(Try& t) {
  overwrite(t, 0, t.data(0));
  const auto last = t.data(1);
  Handle handle = nonblocking::put(t.region, t.place(), last);
  if (t.turn % 2 == 0) wait_remote(handle);
  t.runtime.fence(t.peer);
  t.runtime.wait(handle);
  t.expect_data(last, "the nonblocking put's data");
}

// O3: read from outside while the put is on its way.
void signal_after_data(Try& t) {
  const auto source = t.data();
  std::atomic<bool> given_up{false};
  std::thread watcher([&] {
    while (t.view.word(t.peer, t.slot.word(0)) != t.stamp()) {
      if (given_up) return;
      std::this_thread::yield();
    }
    t.expect_data(source, "the flag is raised, but the data");
  });
  try {
    Handle handle = t.turn % 2 == 0 ? nonblocking::put_signal(t.region, t.place(), source, t.flag())
                                    : nonblocking::put_signal(t.region, t.place(), source.data(),
                                                              Halves(t.size).shape(), t.flag());
    wait_remote(handle);
  } catch (...) {
    given_up = true;
    watcher.join();
    throw;
  }
  watcher.join();
}

constexpr std::size_t common_word = 10;
constexpr std::uint64_t updates = 20;

// O4
void atomic_updates(Try& t) {
  const Place word{.target = t.peer, .offset = Slot{}.word(common_word)};
  const std::array<std::int64_t, 1> one{1};
  std::vector<Handle> handles;
  for (std::uint64_t i = 0; i < updates; ++i) {
    handles.push_back(nonblocking::atomic_add(t.region, word, std::uint64_t{1}));
    accumulate(t.region, word, std::span(one), Scale::of(std::int64_t{1}));
    raise_signal(t.region, t.peer, {.offset = word.offset, .value = 1});
    (void)fetch_add(t.region, word, std::uint64_t{1});
  }
  t.runtime.wait_all(handles);
  t.runtime.fence(t.peer);
}

void no_update_is_lost(Try& t) {
  t.expect(t.view.word(t.peer, Slot{}.word(common_word)) == 4 * updates * t.threads, "updates are lost");
  atomic_set(t.region, {.target = t.peer, .offset = Slot{}.word(common_word)}, std::uint64_t{0});
  t.runtime.fence(t.peer);
}

// O5: the other thread goes on making progress.
void fence_of_another_thread(Try& t) {
  std::optional<Started> started;
  std::atomic<bool> has_started{false};
  std::atomic<bool> fenced{false};
  std::thread other([&] {
    started.emplace(t);
    has_started = true;
    while (!fenced) {
      t.runtime.poll();
      std::this_thread::yield();
    }
  });
  while (!has_started) std::this_thread::yield();
  t.runtime.fence(t.peer);
  started->expect_there();
  fenced = true;
  other.join();
  started->end();
}

}  // namespace

std::vector<Promise> order_promises() {
  return {
      {"O1", blocking_order},          {"O2", nonblocking_after_blocking},
      {"O3", signal_after_data},       {"O4", atomic_updates, nullptr, {.word = true}, no_update_is_lost},
      {"O5", fence_of_another_thread},
  };
}

}  // namespace stretto::testing::promises
