// SPDX-License-Identifier: BSD-3-Clause
// Active messages: a function that any rank of a runtime runs on any other, with a payload of bytes.
//
// The target's progress runs it: its progress thread, or a call of the runtime. A rank runs one at a time;
// those of one source run in the order in which they were sent. The function may start operations of the
// runtime, and send messages, but must not wait for another rank, nor fence. What it starts is not ordered
// with the program's own operations. An exception leaves the call of the runtime that ran it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stretto/runtime.hpp>
#include <stretto/shape.hpp>

namespace stretto {

class RemoteFunction {
 public:
  /// `source` is the rank that called. The payload is valid until the function returns.
  using Function = std::function<void(int source, std::span<const std::byte> payload)>;

  /// The ranks may give different functions. Collective over the runtime. The first of a runtime needs that
  /// no operation is outstanding and that no other thread calls the runtime.
  RemoteFunction(Runtime& runtime, Function function);
  RemoteFunction(const RemoteFunction&) = delete;
  RemoteFunction& operator=(const RemoteFunction&) = delete;
  /// Calls free() unless the program has. While an exception unwinds, nothing collective is done.
  ~RemoteFunction();

  /// Returns when the payload may be changed. After a fence of `target` the function has returned there.
  /// Throws ArgumentError `target`, or `payload` for more than max_bytes().
  void call(int target, Source payload) const;
  /// The most bytes of one payload: the runtime's Options::segment_bytes.
  [[nodiscard]] std::size_t max_bytes() const;

  /// Waits for all calls of all ranks, and removes the function. Collective over the runtime.
  void free();

 private:
  Runtime* runtime_;
  std::uint32_t number_ = 0;
  bool freed_ = false;
};

}  // namespace stretto
