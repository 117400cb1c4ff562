// SPDX-License-Identifier: BSD-3-Clause
// Active messages that have come and are not handled yet. Handlers run one at a time, in the order in
// which the messages of a source were sent, and outside the engine's lock, so that they may call the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "onesided/memory/threading.hpp"

namespace stretto::onesided {

/// Whether this thread runs a handler. What it starts is not ordered with what the program has started: a
/// fence would wait for the handler itself.
extern constinit thread_local bool handling_call;

using CallHandler = std::function<void(int source, std::span<const std::byte> payload)>;

class ReceivedCalls {
 public:
  explicit ReceivedCalls(std::size_t sources) : waiting_(std::make_unique<Atomic<int>[]>(sources)) {}

  void register_handler(std::uint32_t function, CallHandler handler);
  void remove_handler(std::uint32_t function);

  void add(std::uint32_t function, int source, std::vector<std::byte>&& payload);
  /// Those of a source that are not handled.
  [[nodiscard]] int waiting(int source) const { return waiting_[static_cast<std::size_t>(source)].load(); }
  /// Runs the handlers of all that have come. Nothing where one is running, in this thread or another.
  /// Throws what a handler throws, and Error for a function that has no handler. True when one ran.
  bool run();

 private:
  struct Call {
    std::uint32_t function = 0;
    int source = 0;
    std::vector<std::byte> payload;
  };
  [[nodiscard]] bool take(Call& call, std::shared_ptr<const CallHandler>& handler);

  Mutex mutex_;  // of the next two
  std::unordered_map<std::uint32_t, std::shared_ptr<const CallHandler>> handlers_;
  std::deque<Call> calls_;
  Atomic<std::size_t> count_{0};  // of calls_
  Atomic<bool> running_{false};
  std::unique_ptr<Atomic<int>[]> waiting_;  // by source
};

}  // namespace stretto::onesided
