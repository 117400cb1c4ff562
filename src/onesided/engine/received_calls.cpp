// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/engine/received_calls.hpp"

#include <stretto/error.hpp>
#include <string>
#include <utility>

namespace stretto::onesided {

constinit thread_local bool handling_call = false;

namespace {

/// Gives back the right to run handlers. A handler may poll another runtime. Handlers of that one then run
/// within it.
class Running {
 public:
  explicit Running(Atomic<bool>& running) : running_(running) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    handling_call = before_;
    running_.store(false);
  }

 private:
  Atomic<bool>& running_;
  bool before_ = std::exchange(handling_call, true);
};

/// Counts a call as done, whether its handler returns or throws.
class Done {
 public:
  explicit Done(Atomic<int>& waiting) : waiting_(waiting) {}
  Done(const Done&) = delete;
  Done& operator=(const Done&) = delete;
  ~Done() { --waiting_; }

 private:
  Atomic<int>& waiting_;
};

}  // namespace

void ReceivedCalls::register_handler(std::uint32_t function, CallHandler handler) {
  const std::lock_guard lock(mutex_);
  handlers_[function] = std::make_shared<const CallHandler>(std::move(handler));
}

void ReceivedCalls::remove_handler(std::uint32_t function) {
  const std::lock_guard lock(mutex_);
  handlers_.erase(function);
}

void ReceivedCalls::add(std::uint32_t function, int source, std::vector<std::byte>&& payload) {
  const std::lock_guard lock(mutex_);
  ++waiting_[static_cast<std::size_t>(source)];
  calls_.push_back({function, source, std::move(payload)});
  ++count_;
}

bool ReceivedCalls::take(Call& call, std::shared_ptr<const CallHandler>& handler) {
  const std::lock_guard lock(mutex_);
  if (calls_.empty()) return false;
  call = std::move(calls_.front());
  calls_.pop_front();
  --count_;
  const auto found = handlers_.find(call.function);
  handler = found == handlers_.end() ? nullptr : found->second;
  return true;
}

bool ReceivedCalls::run() {
  if (count_.load() == 0 || running_.exchange(true)) return false;
  const Running running(running_);
  bool any = false;
  Call call;
  std::shared_ptr<const CallHandler> handler;
  while (take(call, handler)) {
    any = true;
    const Done done(waiting_[static_cast<std::size_t>(call.source)]);
    if (handler == nullptr) {
      throw Error("rank " + std::to_string(call.source) + " called function " +
                  std::to_string(call.function) + ", which this rank does not have");
    }
    (*handler)(call.source, call.payload);
  }
  return any;
}

}  // namespace stretto::onesided
