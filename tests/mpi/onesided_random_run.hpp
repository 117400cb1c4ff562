// SPDX-License-Identifier: BSD-3-Clause
// Random operations of one rank, of every kind, shape and handle.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <random>
#include <stretto/accumulate.hpp>
#include <stretto/aggregate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/completion.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "onesided_random_arrays.hpp"
#include "onesided_random_messages.hpp"
#include "onesided_random_places.hpp"
#include "onesided_world.hpp"

namespace stretto::testing::random_traffic {

/// The random run of one rank, or of one thread. Every choice comes from the seed alone: paths never change
/// it.
class RandomRun {
 public:
  /// With `only_target`, all operations go there but those on arrays. Collective.
  RandomRun(Runtime& runtime, Region& region, unsigned seed, std::optional<int> only_target = std::nullopt)
      : runtime_(runtime),
        region_(region),
        places_{static_cast<std::size_t>(runtime.size())},
        only_target_(only_target),
        random_(seed * 1009 + static_cast<unsigned>(runtime.rank())),
        aggregate_(runtime),
        messages_(runtime),
        arrays_(runtime) {}

  void operations(int count) {
    for (int i = 0; i < count; ++i) one();
    complete_all();
  }
  /// What active messages and puts have left in memory of the program, and what arrays hold.
  [[nodiscard]] std::vector<std::uint64_t> own_memory() const {
    std::vector<std::uint64_t> all = messages_.memory();
    const std::vector<std::uint64_t> more = arrays_.memory();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// Gets of arrays that did not return what this run had put.
  [[nodiscard]] std::uint64_t wrong_gets() const { return arrays_.wrong_gets(); }
  /// Everything that was fetched, in order.
  [[nodiscard]] const std::vector<std::byte>& fetched() const { return fetched_; }

 private:
  enum class How { blocking, nonblocking, implicit, aggregate };

  std::size_t below(std::size_t limit) { return random_() % limit; }

  void one() {
    target_ = only_target_.value_or(static_cast<int>(below(places_.ranks)));
    const std::size_t what = below(144);
    if (what >= 132) return arrays_.one(random_);
    if (what >= 130) return put_large_rows();
    if (what >= 127) return messages_.call(target_, random_);
    if (what >= 124) return messages_.put_into_own(target_, random_);
    if (what >= 122) return messages_.set_flag(target_);
    if (what >= 120) return put_with_signal();
    if (what >= 117) return update_own_word();
    if (what >= 109) return update_common_word();
    if (what >= 104) return complete_one_remotely();
    if (what >= 100) {
      return raise_signal(region_, target_,
                          {.offset = places_.of_signal(region_.rank()), .value = 1 + below(3)});
    }
    if (what < 45) return put_something();
    if (what < 65) return accumulate_something();
    if (what < 85) return get_something();
    if (what < 90) {
      (void)fetch_add(region_, {.target = target_, .offset = places_.of_counter()}, std::int64_t{1});
    } else if (what < 95) {
      const std::size_t size = below(300);
      const std::size_t offset = reserve(size);
      put_signal(region_, {.target = target_, .offset = offset}, fresh(size),
                 {.offset = places_.of_signal(region_.rank())});
    } else {
      complete_all();
    }
  }

  // Operations that are not ordered must not overlap: a stretch of the lane is written once until all is
  // complete.
  std::size_t reserve(std::size_t extent) {
    if (next_free_ + extent > half) complete_all();
    const std::size_t offset = places_.of_lane(region_.rank()) + writing_ * half + next_free_;
    next_free_ += extent;
    return offset;
  }

  std::span<const std::byte> fresh(std::size_t size) {
    std::vector<std::byte>& bytes = sources_.emplace_back(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }

  struct Shape {
    std::array<std::size_t, 3> counts;
    std::array<std::size_t, 2> here;
    std::array<std::size_t, 2> there;
    [[nodiscard]] Strided view() const {
      return {.counts = counts, .local_strides = here, .remote_strides = there};
    }
    [[nodiscard]] std::size_t local_extent() const {
      return counts[0] + (counts[1] - 1) * here[0] + (counts[2] - 1) * here[1];
    }
    [[nodiscard]] std::size_t remote_extent() const {
      return counts[0] + (counts[1] - 1) * there[0] + (counts[2] - 1) * there[1];
    }
  };

  Shape shape(std::size_t unit) {
    Shape made{.counts = {unit * (1 + below(4)), 1 + below(4), 1 + below(4)}, .here = {}, .there = {}};
    made.here[0] = made.counts[0] + unit * below(3);
    made.there[0] = made.counts[0] + unit * below(3);
    made.here[1] = made.counts[1] * made.here[0] + unit * below(3);
    made.there[1] = made.counts[1] * made.there[0] + unit * below(3);
    return made;
  }

  How any_way() { return static_cast<How>(below(4)); }

  void put_something() {
    switch (below(3)) {
      case 0: {
        const std::size_t size = below(below(4) == 0 ? 3000 : 40);
        const Place place{.target = target_, .offset = reserve(size)};
        return put_in(any_way(), place, fresh(size));
      }
      case 1: {
        const Shape made = shape(1 + below(8));
        const Place place{.target = target_, .offset = reserve(made.remote_extent())};
        const auto data = fresh(made.local_extent());
        return put_in(any_way(), place, data.data(), made.view());
      }
      default: {
        std::vector<PutPiece> pieces;
        for (std::size_t i = below(20); i > 0; --i) {
          const auto data = fresh(below(30));
          const bool completes_before = next_free_ + 30 > half;
          if (completes_before) break;  // a piece must not complete what its own vector has not sent
          pieces.push_back({data.data(), reserve(data.size()), data.size()});
        }
        put_in(any_way(), target_, std::span<const PutPiece>(pieces));
      }
    }
  }

  template <typename... Arguments>
  void put_in(How how, const Arguments&... arguments) {
    switch (how) {
      case How::blocking:
        return put(region_, arguments...);
      case How::nonblocking:
        return keep(nonblocking::put(region_, arguments...));
      case How::implicit:
        return implicit::put(region_, arguments...);
      case How::aggregate:
        return open_aggregate(false).put(region_, arguments...);
    }
  }

  // Each row has two segments of the smaller settings, and more.
  void put_large_rows() {
    const std::size_t row = 2048 + 8 * below(64);
    const std::array<std::size_t, 2> counts{row, 2};
    const std::array<std::size_t, 1> here{row + 16};
    const std::array<std::size_t, 1> there{row + 8};
    const Strided made{.counts = counts, .local_strides = here, .remote_strides = there};
    const Place place{.target = target_, .offset = reserve(2 * row + 8)};
    const auto data = fresh(2 * row + 16);
    if (below(2) == 0) return put(region_, place, data.data(), made);
    keep(nonblocking::put(region_, place, data.data(), made));
  }

  void put_with_signal() {
    const std::size_t size = below(3000);
    const Place place{.target = target_, .offset = reserve(size)};
    keep(nonblocking::put_signal(region_, place, fresh(size), {.offset = places_.of_signal(region_.rank())}));
  }

  // Whole numbers: their sums do not depend on the order.
  void accumulate_something() {
    const Shape made = shape(8);
    const std::size_t extent = made.remote_extent() / 8;
    const std::size_t first = below(sums - extent);
    std::vector<std::byte>& source = sources_.emplace_back(made.local_extent());
    const bool floating = first + extent <= sums / 2;  // the lower half is of doubles, the upper of integers
    if (!floating && first < sums / 2) return;
    for (std::size_t i = 0; i + 8 <= source.size(); i += 8) {
      const auto number = static_cast<std::int64_t>(below(100));
      const auto real = static_cast<double>(number);
      std::memcpy(&source[i], floating ? static_cast<const void*>(&real) : static_cast<const void*>(&number),
                  8);
    }
    const Scale scale = floating ? Scale::of(3.0) : Scale::of(std::int64_t{-2});
    const Place place{.target = target_, .offset = places_.of_sums() + 8 * first};
    switch (below(3)) {
      case 0:
        return accumulate(region_, place, source.data(), made.view(), scale);
      case 1:
        return keep(nonblocking::accumulate(region_, place, source.data(), made.view(), scale));
      default:
        return implicit::accumulate(region_, place, source.data(), made.view(), scale);
    }
  }

  // What this rank wrote before its last complete_all() does not change.
  void get_something() {
    const Shape made = shape(1 + below(8));
    const std::size_t offset =
        places_.of_lane(region_.rank()) + (1 - writing_) * half + below(half - made.remote_extent());
    std::vector<std::byte>& sink = sinks_.emplace_back(made.local_extent());
    const Place place{.target = target_, .offset = offset};
    switch (any_way()) {
      case How::blocking:
        return get(region_, place, sink.data(), made.view());
      case How::nonblocking:
        return keep(nonblocking::get(region_, place, sink.data(), made.view()));
      case How::implicit:
        return implicit::get(region_, place, sink.data(), made.view());
      case How::aggregate:
        return open_aggregate(true).get(region_, place, sink.data(), made.view());
    }
  }

  void update_common_word() {
    const std::size_t kind = below(common_words);
    const Place place{.target = target_, .offset = places_.of_common_word(kind)};
    const std::uint64_t bits = std::uint64_t{1} << below(32);
    const bool later = below(2) == 0;
    const auto small = static_cast<std::int32_t>(below(100)) - 50;
    switch (kind) {
      case 0:
        return later ? keep(nonblocking::atomic_or(region_, place, bits)) : atomic_or(region_, place, bits);
      case 1:
        return later ? keep(nonblocking::atomic_xor(region_, place, bits)) : atomic_xor(region_, place, bits);
      case 2:
        return later ? keep(nonblocking::atomic_add(region_, place, small))
                     : atomic_add(region_, place, small);
      case 3:
        return later ? keep(nonblocking::atomic_add(region_, place, bits)) : atomic_add(region_, place, bits);
      case 4:
        return later ? keep(nonblocking::atomic_add(region_, place, float(small)))
                     : atomic_add(region_, place, float(small));
      case 5:
        return later ? keep(nonblocking::atomic_add(region_, place, double(small)))
                     : atomic_add(region_, place, double(small));
      default:
        return later ? keep(nonblocking::atomic_and(region_, place, ~bits))
                     : atomic_and(region_, place, ~bits);
    }
  }

  // What it finds is known only where the update before it is complete.
  void update_own_word() {
    const std::size_t words = places_.of_own_words(region_.rank());
    const Place integer{.target = target_, .offset = words};
    const Place real{.target = target_, .offset = words + 8};
    std::vector<std::byte>& sink = sinks_.emplace_back(2 * sizeof(std::uint64_t));
    std::uint64_t before = 0;
    double before_real = 0;
    const std::uint64_t operand = random_();
    const auto finish = [&](Handle handle) { runtime_.wait(handle); };
    switch (below(9)) {
      case 7:
        before = compare_swap(region_, integer, atomic_fetch<std::uint64_t>(region_, integer), operand);
        break;
      case 8:
        finish(nonblocking::compare_swap(region_, integer, operand, operand + 1, before));
        break;
      case 0:
        before = fetch_or(region_, integer, operand);
        break;
      case 1:
        before = fetch_xor(region_, integer, operand);
        break;
      case 2:
        before = fetch_and(region_, integer, operand);
        break;
      case 3:
        finish(nonblocking::fetch_add(region_, integer, operand, before));
        break;
      case 4:
        finish(nonblocking::swap(region_, integer, operand, before));
        break;
      case 5:
        atomic_set(region_, integer, operand);
        before = atomic_fetch<std::uint64_t>(region_, integer);
        break;
      default:
        finish(nonblocking::fetch_add(region_, real, double(operand % 1000), before_real));
        before_real += fetch_add(region_, real, 1.0);
    }
    std::memcpy(sink.data(), &before, sizeof before);
    std::memcpy(&sink[sizeof before], &before_real, sizeof before_real);
  }

  void complete_one_remotely() {
    if (handles_.empty()) return keep(nonblocking::fence(runtime_, target_));
    Handle& one = handles_[below(handles_.size())];
    switch (below(3)) {
      case 0:
        return wait_source(one);
      case 1:
        return wait_remote(one);
      default:
        (void)test_remote(one);
    }
  }

  Aggregate& open_aggregate(bool gets) {
    if (aggregate_.pending() && (aggregate_target_ != target_ || aggregate_gets_ != gets))
      runtime_.wait(aggregate_);
    aggregate_target_ = target_;
    aggregate_gets_ = gets;
    return aggregate_;
  }

  void keep(Handle handle) { handles_.push_back(std::move(handle)); }

  void complete_all() {
    runtime_.wait(aggregate_);
    const bool pending = std::ranges::any_of(handles_, [](const auto& one) { return one.pending(); });
    const bool any = below(2) == 0;
    if (pending && any) (void)runtime_.wait_any(handles_);
    runtime_.wait_all(handles_);
    if (only_target_) {
      runtime_.wait_implicit(*only_target_);
      runtime_.fence(*only_target_);
    } else {
      runtime_.wait_implicit();
      runtime_.fence();
    }
    handles_.clear();
    sources_.clear();
    for (const auto& sink : sinks_) fetched_.insert(fetched_.end(), sink.begin(), sink.end());
    sinks_.clear();
    next_free_ = 0;
    writing_ = 1 - writing_;
  }

  Runtime& runtime_;
  Region& region_;
  RandomPlaces places_;
  std::optional<int> only_target_;
  std::mt19937 random_;
  Aggregate aggregate_;
  RandomMessages messages_;
  RandomArrays arrays_;
  int target_ = 0;
  int aggregate_target_ = 0;
  bool aggregate_gets_ = false;
  std::size_t writing_ = 0;  // the half that is written
  std::size_t next_free_ = 0;
  std::vector<Handle> handles_;
  std::deque<std::vector<std::byte>> sources_;
  std::deque<std::vector<std::byte>> sinks_;
  std::vector<std::byte> fetched_;
};

}  // namespace stretto::testing::random_traffic
