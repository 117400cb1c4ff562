// SPDX-License-Identifier: BSD-3-Clause
// Every promise of docs/runtime.md about completion, order and visibility, in every world, under every
// progress, with sizes around every limit, from one thread and from several. Whoever looks at the target's
// memory looks at the moment of the promise, and the target's program calls nothing then. Where the path
// needs its calls, it waits in the runtime. STRETTO_PROMISES=FILE runs the whole matrix and writes its cells
// to the file (scripts/promises.py).
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stretto/protocol.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <thread>

#include "promises/promise.hpp"
#include "promises/worlds.hpp"

namespace stretto::testing::promises {
namespace {

constexpr std::size_t max_threads = 3;
constexpr std::size_t release = max_threads * Slot::size;  // the offset of the word that ends a try
constexpr unsigned pause_us = 100;                         // of the target, between two looks
constexpr std::size_t part_bytes = release + 64;

const char* results_file() { return std::getenv("STRETTO_PROMISES"); }

std::string library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text, static_cast<std::size_t>(length));
  return all.substr(0, all.find_first_of("\n,"));
}

/// The promises of one world under one progress.
class Matrix {
 public:
  Matrix(const World& world, Progress progress)
      : world_(world),
        memory_(world.own_memory ? part_bytes / sizeof(std::uint64_t) : 0),
        runtime_(MPI_COMM_WORLD, options_of(world, progress)),
        view_(region().local().data()) {}

  ~Matrix() {
    if (function_.has_value()) function_->free();
    region_->free();
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  [[nodiscard]] bool can_look() const { return view_.works(); }
  /// Whether puts take the path that the world is for.
  [[nodiscard]] bool takes_its_path() const {
    if (world_.path != std::string("rma")) return true;
    const int peer = (runtime_.rank() + 1) % runtime_.size();
    return protocol_of(*region_, {.target = peer}).protocol == Protocol::rma;
  }

  void run(const Promise& promise, std::size_t size, std::size_t threads, unsigned tries) {
    if (promise.needs.calls && !function_.has_value()) register_function();
    for (unsigned i = 0; i < tries; ++i) {
      runtime_.barrier();
      if (runtime_.rank() == 0) {
        try_at_origin(promise, size, threads);
        let_go();
      } else {
        try_at_target(promise, size, threads);
        stay(promise);
      }
      ++turn_;
      runtime_.barrier();
    }
    report(promise, size, threads, tries);
  }

 private:
  static Options options_of(const World& world, Progress progress) {
    Options options = world.options;
    options.progress = progress;
    return options;
  }

  Region& region() {
    if (world_.own_memory) {
      region_.emplace(runtime_, std::as_writable_bytes(std::span(memory_)));
    } else {
      region_.emplace(runtime_, part_bytes);
    }
    return *region_;
  }

  void register_function() {
    std::byte* const here = region_->local().data();
    function_.emplace(runtime_, [here](int, std::span<const std::byte> bytes) {
      CallPayload payload;
      std::memcpy(&payload, bytes.data(), sizeof payload);
      if (payload.from != CallPayload::no_place) std::memcpy(&payload.value, here + payload.from, 8);
      std::memcpy(here + payload.to, &payload.value, 8);
    });
  }

  Try try_of(int peer, std::size_t thread, std::size_t size, std::size_t threads) {
    return {.runtime = runtime_,
            .region = *region_,
            .view = view_,
            .findings = findings_,
            .function = function_.has_value() ? &*function_ : nullptr,
            .peer = peer,
            .slot = {thread * Slot::size},
            .size = size,
            .threads = threads,
            .turn = turn_};
  }

  void guarded(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      findings_.add(error.what());
    }
  }

  /// Every thread makes the try with a slot of its own; one more polls. Where one thread may call at a time,
  /// the others put and fence.
  void try_at_origin(const Promise& promise, std::size_t size, std::size_t threads) {
    const int peer = 1 + static_cast<int>(turn_) % (runtime_.size() - 1);
    std::atomic<bool> done{false};
    std::vector<std::thread> own;
    std::vector<std::thread> others;
    const auto make_try = [&](std::size_t thread) {
      guarded([&] {
        Try one = try_of(peer, thread, size, threads);
        promise.origin(one);
      });
    };
    for (std::size_t thread = 1; thread < threads; ++thread) {
      if (promise.needs.one_caller) {
        others.emplace_back([&, thread] { guarded([&] { make_noise(peer, thread, size, done); }); });
      } else {
        own.emplace_back(make_try, thread);
      }
    }
    if (threads > 1) others.emplace_back([&] { guarded([&] { poll_until(done); }); });
    make_try(0);
    for (std::thread& one : own) one.join();
    done = true;
    for (std::thread& one : others) one.join();
    if (promise.finish != nullptr) {
      Try last = try_of(peer, 0, size, threads);
      guarded([&] { promise.finish(last); });
    }
  }

  void make_noise(int peer, std::size_t thread, std::size_t size, const std::atomic<bool>& done) {
    const Try one = try_of(peer, thread, size, 1);
    const auto source = one.data();
    while (!done) {
      put_signal(*region_, one.place(), source, one.flag());
      runtime_.fence(peer);
      one.expect_data(source);
      one.expect_word(0, one.stamp(), "the flag");
    }
  }

  void poll_until(const std::atomic<bool>& done) {
    while (!done) {
      runtime_.poll();
      std::this_thread::yield();
    }
  }

  /// With several targets, the one of this turn.
  void try_at_target(const Promise& promise, std::size_t size, std::size_t threads) {
    if (promise.target == nullptr) return;
    const bool mine = runtime_.rank() == 1 + static_cast<int>(turn_) % (runtime_.size() - 1);
    if (!mine) {
      if (promise.others != nullptr) guarded([&] { promise.others(runtime_); });
      return;
    }
    std::vector<std::thread> more;
    const auto make_try = [&](std::size_t thread) {
      guarded([&] {
        Try one = try_of(0, thread, size, threads);
        promise.target(one);
      });
    };
    for (std::size_t thread = 1; thread < threads && !promise.needs.one_caller; ++thread)
      more.emplace_back(make_try, thread);
    make_try(0);
    for (std::thread& one : more) one.join();
  }

  /// Whether all that the promise needs of the target happens while its program calls nothing.
  [[nodiscard]] bool target_is_still(const Promise& promise) const {
    if (world_.path == std::string("direct")) return !promise.needs.calls || runs_thread();
    return runs_thread();
  }
  [[nodiscard]] bool runs_thread() const { return runtime_.progress() == Progress::thread; }

  void stay(const Promise& promise) {
    guarded([&] {
      if (target_is_still(promise)) {
        while (view_.word(0, release) <= turn_) usleep(pause_us);
      } else if (turn_ % 4 == 3) {
        (void)wait_signal(*region_, release, turn_ + 1);
      } else {
        // Between two calls nothing happens here: what the origin has not waited for is missing then.
        while (!test_signal(*region_, release, turn_ + 1)) usleep(pause_us);
      }
    });
  }

  void let_go() {
    guarded([&] {
      for (int rank = 1; rank < runtime_.size(); ++rank) raise_signal(*region_, rank, {.offset = release});
    });
    reset_signal(*region_, release, turn_ + 1);
  }

  void report(const Promise& promise, std::size_t size, std::size_t threads, unsigned tries) {
    const std::vector<std::string> found = findings_.take();
    const std::string cell = std::string(promise.id) + " in " + world_.name + " under " +
                             std::string(to_string(runtime_.progress())) + ", " + std::to_string(size) +
                             " B, threads: " + std::to_string(threads);
    EXPECT_EQ(found.size(), 0U) << cell << ": " << (found.empty() ? "" : found.front());
    if (results_file() == nullptr) return;
    int wrong = found.empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (runtime_.rank() != 0) return;
    std::FILE* const file = std::fopen(results_file(), "a");
    if (file == nullptr) return;
    std::fprintf(file,
                 R"({"mpi": "%s", "promise": "%s", "path": "%s", "world": "%s", "progress": "%s", )"
                 R"("bytes": %zu, "threads": %zu, "tries": %u, "target": "%s", "held": %s})"
                 "\n",
                 library().c_str(), promise.id, world_.path, world_.name,
                 std::string(to_string(runtime_.progress())).c_str(), size, threads, tries,
                 promise.target != nullptr  ? "acts"
                 : target_is_still(promise) ? "still"
                                            : "waits",
                 wrong == 0 ? "true" : "false");
    std::fclose(file);
  }

  const World& world_;
  std::vector<std::uint64_t> memory_;
  Runtime runtime_;
  std::optional<Region> region_;
  MemoryView view_;
  std::optional<RemoteFunction> function_;
  Findings findings_;
  unsigned turn_ = 0;
};

/// Those with calls last: a function lets every rank serve requests of every other.
std::vector<Promise> all_promises() {
  std::vector<Promise> all = completion_promises();
  for (Promise& one : order_promises()) all.push_back(std::move(one));
  for (Promise& one : visibility_promises()) all.push_back(std::move(one));
  std::stable_partition(all.begin(), all.end(), [](const Promise& one) { return !one.needs.calls; });
  return all;
}

struct Place_of_matrix {
  World world;
  Progress progress;
};

void PrintTo(const Place_of_matrix& place, std::ostream* out) {
  *out << place.world.name << " " << to_string(place.progress);
}

std::vector<Place_of_matrix> places() {
  std::vector<Place_of_matrix> all;
  for (const World& world : worlds()) {
    for (const Progress progress : {Progress::none, Progress::poll, Progress::thread})
      all.push_back({world, progress});
  }
  return all;
}

class OnesidedPromises : public ::testing::TestWithParam<Place_of_matrix> {};
INSTANTIATE_TEST_SUITE_P(Worlds, OnesidedPromises, ::testing::ValuesIn(places()), [](const auto& info) {
  return std::string(info.param.world.name) + "_" + std::string(to_string(info.param.progress));
});

TEST_P(OnesidedPromises, Hold) {
  Matrix matrix(GetParam().world, GetParam().progress);
  if (!matrix.can_look()) GTEST_SKIP() << "the kernel lets no process look into another one's memory";
  if (!matrix.takes_its_path()) GTEST_SKIP() << "this MPI has no windows over this network";
  const bool whole = results_file() != nullptr;
  constexpr std::size_t segment = std::size_t{32} << 10;
  const std::vector<std::size_t> tested =
      whole ? sizes(segment) : std::vector<std::size_t>{8, 2 * segment + 8};
  for (const Promise& promise : all_promises()) {
    for (const std::size_t threads : {std::size_t{1}, max_threads}) {
      for (const std::size_t size : tested) {
        if (promise.needs.word && size > 8) continue;
        matrix.run(promise, size, threads, !whole ? 4 : size <= 4 * segment ? 3 : 2);
      }
    }
  }
}

/// Of a flag that another thread may be sending.
void fence_behind_a_flag(Try& t) {
  const auto source = t.data();
  Handle handle = nonblocking::put_signal(t.region, t.place(), source, t.flag());
  t.runtime.fence();
  t.expect_word(0, t.stamp(), "the flag");
  t.runtime.wait(handle);
}

TEST_P(OnesidedPromises, AFenceWaitsForFlagsThatOtherThreadsSend) {
  if (GetParam().world.path != std::string("rma")) GTEST_SKIP() << "no flag is sent behind a flush";
  Matrix matrix(GetParam().world, GetParam().progress);
  if (!matrix.can_look()) GTEST_SKIP() << "the kernel lets no process look into another one's memory";
  if (!matrix.takes_its_path()) GTEST_SKIP() << "this MPI has no windows over this network";
  matrix.run({"C12", fence_behind_a_flag}, (std::size_t{64} << 10) + 8, max_threads, 100);
}

// A flag that finds no buffer must not keep those behind it on the stack.
TEST(OnesidedPendingFlags, AnyNumberMayBePending) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::poll,
                                   .contiguous = Path::rma,
                                   .segment_bytes = 256,
                                   .outstanding = 4,
                                   .node_ranks = 1});
  constexpr std::uint64_t flags = 50000;
  const std::vector<std::byte> source(512, std::byte{1});
  Region region(runtime, source.size() + 8);
  const int right = (runtime.rank() + 1) % runtime.size();
  std::vector<Handle> handles;
  for (std::uint64_t i = 0; i < flags; ++i)
    handles.push_back(nonblocking::put_signal(region, {.target = right}, source, {.offset = source.size()}));
  runtime.wait_all(handles);
  EXPECT_EQ(wait_signal(region, source.size(), flags), flags);
  runtime.barrier();
}

}  // namespace
}  // namespace stretto::testing::promises
