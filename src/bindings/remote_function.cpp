// SPDX-License-Identifier: BSD-3-Clause
// Active messages.
#include <memory>
#include <stretto/remote_function.hpp>

#include "bindings/objects.hpp"
#include "onesided/api/agreement.hpp"

using namespace stretto::bindings;

extern "C" {

int stretto_remote_function_create(stretto_runtime* runtime, stretto_function function, void* context,
                                   stretto_remote_function** remote) {
  return guarded([&] {
    stretto::onesided::agree(runtime_of(runtime), [&] {
      (void)given(remote, "remote");
      if (function == nullptr) throw_null("function");
    });
    const auto call = [function, context](int source, std::span<const std::byte> payload) {
      function(source, payload.data(), payload.size(), context);
    };
    *remote = new stretto_remote_function{stretto::RemoteFunction(runtime->runtime, call)};
  });
}

int stretto_remote_function_free(stretto_remote_function** remote) {
  return freed(remote, "remote", [](stretto_remote_function& object) { object.function.free(); });
}

int stretto_remote_function_call(const stretto_remote_function* remote, int target, const void* payload,
                                 size_t size_bytes) {
  return guarded(
      [&] { given(remote, "remote").function.call(target, stretto::Source(payload, size_bytes)); });
}

int stretto_remote_function_most_bytes(const stretto_remote_function* remote, size_t* size_bytes) {
  return give(size_bytes, "size_bytes", [&] { return given(remote, "remote").function.max_bytes(); });
}
}
