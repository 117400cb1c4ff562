// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>
#include <exception>
#include <stretto/error.hpp>
#include <stretto/remote_function.hpp>
#include <string>
#include <utility>

#include "mpi/abort.hpp"
#include "onesided/api/access.hpp"
#include "onesided/api/runtime_state.hpp"

namespace stretto {

RemoteFunction::RemoteFunction(Runtime& runtime, Function function) : runtime_(&runtime) {
  onesided::RuntimeState& state = *onesided::Access::state(runtime);
  state.check_alive();
  state.serve_all_ranks();
  number_ = state.next_function++;
  state.contexts->calls().register_handler(number_, std::move(function));
  try {
    state.barrier(state.communicator.get());
  } catch (...) {
    state.contexts->calls().remove_handler(number_);  // what it refers to may be gone
    throw;
  }
}

RemoteFunction::~RemoteFunction() {
  onesided::RuntimeState& state = *onesided::Access::state(*runtime_);
  if (freed_ || state.finalized) return;
  if (std::uncaught_exceptions() > 0) {
    state.contexts->calls().remove_handler(number_);  // what it refers to may be gone
    return;
  }
  try {
    free();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto: %s\n", error.what());
    mpi::abort_all(state.communicator.get(), 1);
  }
}

void RemoteFunction::call(int target, Source payload) const {
  onesided::RuntimeState& state = *onesided::Access::state(*runtime_);
  state.check_target(target);
  if (freed_) throw FinalizedError("the remote function was freed");
  if (payload.size_bytes > max_bytes()) {
    throw ArgumentError("payload", std::to_string(payload.size_bytes) + " bytes are more than the " +
                                       std::to_string(max_bytes()) + " of one active message");
  }
  if (payload.data == nullptr && payload.size_bytes > 0) throw ArgumentError("payload", "is NULL");
  state.order(target, Path::message, true);
  state.counters.operation(target, Path::message, payload.size_bytes);
  auto operation = std::make_shared<onesided::MessageOperation>(
      onesided::PacketKind::call, target,
      onesided::Layout::contiguous({.local = const_cast<std::byte*>(payload.data),
                                    .size_bytes = payload.size_bytes,
                                    .region = onesided::no_region}));
  operation->atomic.region = number_;
  state.start(operation);
  state.unfenced_to(target).beyond_stores.count();
  state.wait_for(*operation, "an active message");
  state.stored(target, Path::message);
  state.poll_if_enabled();
}

std::size_t RemoteFunction::max_bytes() const { return runtime_->options().segment_bytes; }

void RemoteFunction::free() {
  onesided::RuntimeState& state = *onesided::Access::state(*runtime_);
  state.check_alive();
  if (freed_) return;
  state.complete_step([&] { state.fence_all(); });
  state.barrier(
      state.world->communicator.get());  // that of Runtime::barrier(), by which a rank without it arrives
  state.synchronise_windows();
  freed_ = true;
  state.contexts->calls().remove_handler(number_);
  state.throw_kept();
}

}  // namespace stretto
