// SPDX-License-Identifier: BSD-3-Clause
// Operations of each kind that are started, and not completed at the target.
#pragma once

#include <stretto/aggregate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/completion.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "promise.hpp"

namespace stretto::testing::promises {

/// Every operation goes to a place of its own. `Try::turn` chooses the one that carries the data.
class Started {
 public:
  explicit Started(Try& t) : t_(t), source_(t.data()), aggregate_(t.runtime) {
    switch (t.turn % 5) {
      case 0:
        handle_ = nonblocking::put_signal(t.region, t.place(), source_, t.flag());
        break;
      case 1:
        put_signal(t.region, t.place(), source_, t.flag());
        break;
      case 2:
        implicit::put(t.region, t.place(), source_);
        raise_signal(t.region, t.peer, t.flag());
        break;
      case 3:
        aggregate_.put(t.region, t.place(), source_);
        raise_signal(t.region, t.peer, t.flag());
        break;
      default:
        handle_ = nonblocking::put(t.region, t.place(), source_);
        raise_signal(t.region, t.peer, t.flag());
    }
    put(t.region, {.target = t.peer, .offset = t.slot.word(3)}, std::span(&stamp_, 1));
    atomic_set(t.region, {.target = t.peer, .offset = t.slot.word(4)}, t.stamp());
    handles_.push_back(
        nonblocking::atomic_set(t.region, {.target = t.peer, .offset = t.slot.word(5)}, t.stamp()));
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  void expect_there() {
    t_.expect_word(0, t_.stamp(), "the flag");
    t_.expect_word(3, t_.stamp(), "the word that was put");
    t_.expect_word(4, t_.stamp(), "the atomic's word");
    t_.expect_word(5, t_.stamp(), "the nonblocking atomic's word");
    t_.expect_data(source_);
  }
  void end() {
    t_.runtime.wait_implicit(t_.peer);
    t_.runtime.wait(handle_);
    t_.runtime.wait_all(handles_);
    t_.runtime.wait(aggregate_);
  }

 private:
  Try& t_;
  std::vector<std::byte> source_;
  std::uint64_t stamp_ = t_.stamp();
  Handle handle_;
  std::vector<Handle> handles_;
  Aggregate aggregate_;
};

}  // namespace stretto::testing::promises
