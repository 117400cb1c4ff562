// SPDX-License-Identifier: BSD-3-Clause
// Waiting: for handles, implicit operations, fences and notifications.
#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <stretto/completion.hpp>
#include <stretto/error.hpp>
#include <stretto/wait_check.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bindings/objects.hpp"

using namespace stretto::bindings;

namespace {

/// Throws HandleError where two of the pointers are the same handle: it would be freed twice.
void check_distinct(std::span<stretto_handle* const> pointers) {
  std::vector<const stretto_handle*> sorted(pointers.begin(), pointers.end());
  std::ranges::sort(sorted, std::less<>());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] == nullptr || sorted[i] != sorted[i - 1]) continue;
    const auto first = std::ranges::find(pointers, sorted[i]);
    const auto second = std::find(first + 1, pointers.end(), sorted[i]);
    throw stretto::HandleError("handles: " + std::to_string(first - pointers.begin()) + " and " +
                               std::to_string(second - pointers.begin()) + " are the same handle");
  }
}

/// The handles of an array one behind the other, as the runtime takes them. They go back at the end: those
/// that are not pending any more are freed, and the pointers to them are NULL.
class Gathered {
 public:
  /// Throws HandleError where a handle is twice there, and takes none.
  explicit Gathered(std::span<stretto_handle*> pointers) : pointers_(pointers), handles_(pointers.size()) {
    check_distinct(pointers);
    for (std::size_t i = 0; i < pointers.size(); ++i) {
      if (pointers[i] != nullptr) handles_[i] = std::move(pointers[i]->handle);
    }
  }
  Gathered(const Gathered&) = delete;
  Gathered& operator=(const Gathered&) = delete;
  ~Gathered() {
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
      if (pointers_[i] == nullptr) continue;
      if (handles_[i].pending()) {
        pointers_[i]->handle = std::move(handles_[i]);
      } else {
        release(pointers_[i]);
      }
    }
  }

  std::span<stretto::Handle> handles() { return handles_; }

 private:
  std::span<stretto_handle*> pointers_;
  std::vector<stretto::Handle> handles_;
};

}  // namespace

extern "C" {

int stretto_wait(stretto_runtime* runtime, stretto_handle** handle) {
  return guarded([&] {
    stretto_handle*& object = given(handle, "handle");
    stretto::Runtime& own = runtime_of(runtime);  // also where nothing is left to wait for
    if (object == nullptr) return;
    own.wait(object->handle);
    release(object);
  });
}

int stretto_wait_all(stretto_runtime* runtime, size_t count, stretto_handle* handles[]) {
  return guarded([&] {
    Gathered gathered({given_array(handles, count, "handles"), count});
    runtime_of(runtime).wait_all(gathered.handles());
  });
}

int stretto_wait_any(stretto_runtime* runtime, size_t count, stretto_handle* handles[], size_t* index) {
  return guarded([&] {
    std::size_t& result = given(index, "index");
    Gathered gathered({given_array(handles, count, "handles"), count});
    result = runtime_of(runtime).wait_any(gathered.handles());
  });
}

int stretto_test(stretto_runtime* runtime, stretto_handle** handle, int* complete) {
  return guarded([&] {
    stretto_handle*& object = given(handle, "handle");
    int& result = given(complete, "complete");
    stretto::Runtime& own = runtime_of(runtime);
    const bool done = object == nullptr || own.test(object->handle);
    if (done) release(object);
    result = done ? 1 : 0;
  });
}

int stretto_wait_source(stretto_handle* handle) {
  return guarded([&] {
    if (handle != nullptr) stretto::wait_source(handle->handle);
  });
}

int stretto_test_source(stretto_handle* handle, int* complete) {
  return guarded([&] {
    int& result = given(complete, "complete");
    result = handle == nullptr || stretto::test_source(handle->handle) ? 1 : 0;
  });
}

int stretto_wait_remote(stretto_handle** handle) {
  return guarded([&] {
    stretto_handle*& object = given(handle, "handle");
    if (object == nullptr) return;
    stretto::wait_remote(object->handle);
    release(object);
  });
}

int stretto_test_remote(stretto_handle** handle, int* complete) {
  return guarded([&] {
    stretto_handle*& object = given(handle, "handle");
    int& result = given(complete, "complete");
    const bool done = object == nullptr || stretto::test_remote(object->handle);
    if (done) release(object);
    result = done ? 1 : 0;
  });
}

int stretto_nonblocking_fence(stretto_runtime* runtime, int target, stretto_handle** handle) {
  return guarded([&] {
    stretto_handle*& result = given(handle, "handle");
    auto object = std::make_unique<stretto_handle>();
    object->handle = stretto::nonblocking::fence(runtime_of(runtime), target);
    result = object->handle.pending() ? object.release() : nullptr;
  });
}

int stretto_nonblocking_fence_all(stretto_runtime* runtime, size_t* count, stretto_handle* handles[]) {
  return guarded([&] {
    std::size_t& result = given(count, "count");
    stretto_handle** const list = given_array(handles, 1, "handles");
    std::vector<stretto::Handle> fences = stretto::nonblocking::fence(runtime_of(runtime));
    std::vector<std::unique_ptr<stretto_handle>> objects(fences.size());  // first: then nothing fails
    for (auto& object : objects) object = std::make_unique<stretto_handle>();
    for (std::size_t i = 0; i < fences.size(); ++i) {
      objects[i]->handle = std::move(fences[i]);
      list[i] = objects[i].release();
    }
    result = fences.size();
  });
}

int stretto_wait_implicit(stretto_runtime* runtime, int target) {
  return guarded([&] { runtime_of(runtime).wait_implicit(target); });
}

int stretto_wait_implicit_all(stretto_runtime* runtime) {
  return guarded([&] { runtime_of(runtime).wait_implicit(); });
}

int stretto_fence(stretto_runtime* runtime, int target) {
  return guarded([&] { runtime_of(runtime).fence(target); });
}

int stretto_fence_all(stretto_runtime* runtime) {
  return guarded([&] { runtime_of(runtime).fence(); });
}

int stretto_barrier(stretto_runtime* runtime) {
  return guarded([&] { runtime_of(runtime).barrier(); });
}

int stretto_poll(stretto_runtime* runtime) {
  return guarded([&] { runtime_of(runtime).poll(); });
}

int stretto_check_in_waits(stretto_wait_check check, void* context) {
  return guarded([&] {
    if (check == nullptr) return stretto::check_in_waits({});
    stretto::check_in_waits([check, context] { return check(context) != 0; });
  });
}

int stretto_notify(stretto_runtime* runtime, int target, uint64_t* count) {
  return give(count, "count", [&] { return runtime_of(runtime).notify(target); });
}

int stretto_wait_notify(stretto_runtime* runtime, int source, uint64_t* count) {
  return give(count, "count", [&] { return runtime_of(runtime).wait_notify(source); });
}
}
