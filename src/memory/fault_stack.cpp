// SPDX-License-Identifier: BSD-3-Clause
#include "memory/fault_stack.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/fault_mask.hpp"
#include "memory/pages.hpp"

namespace stretto::memory {
namespace {

constexpr std::size_t min_bytes = std::size_t{1} << 16U;  // the program's handler runs on it, too

thread_local stack_t ours = {};       // the stack that this file has mapped for the thread; null: none
thread_local bool is_in_use = false;  // whether the kernel uses it: a program may set a stack of its own
// The program's alternate stacks that were set before pages were watched, and how many were; the first 64 are
// kept.
std::array<Range, 64> earlier;
std::atomic<std::size_t> how_many = 0;

/// libc's own; this library's would note the stack as the program's.
ChangeStack libc_stack() noexcept {
  static const auto found = reinterpret_cast<ChangeStack>(::dlsym(RTLD_NEXT, "sigaltstack"));
  return found;
}

bool install_ours() noexcept {
  if (ours.ss_sp == nullptr) {
    const std::size_t bytes = std::max(min_bytes, std::size_t{4} * ::getauxval(AT_MINSIGSTKSZ));
    void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return false;
    ours = {.ss_sp = mapped, .ss_flags = 0, .ss_size = bytes};
  }
  is_in_use = libc_stack()(&ours, nullptr) == 0;
  return is_in_use;
}

void never_watch(const stack_t& stack) noexcept {
  const Range data{.begin = reinterpret_cast<std::uintptr_t>(stack.ss_sp), .bytes = stack.ss_size};
  if (PageWatch* watch = PageWatch::running()) {
    watch->exclude(data);
    return;
  }
  const std::size_t place = how_many.fetch_add(1);
  if (place < earlier.size()) earlier[place] = data;
}

/// Makes the calling thread's own stack writable: another thread may have sent a message from it.
void open_own_stack() noexcept {
  if (PageWatch* watch = PageWatch::running()) watch->remapped(own_stack());
}

}  // namespace

void take_fault_stack() noexcept {
  stack_t now = {};
  if (libc_stack() == nullptr || libc_stack()(nullptr, &now) != 0) return;
  if ((now.ss_flags & SS_DISABLE) != 0) install_ours();
}

void return_fault_stack() noexcept {
  open_own_stack();
  if (ours.ss_sp == nullptr) return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  if (is_in_use && libc_stack()(&none, nullptr) != 0) return;  // the thread ends in a handler
  is_in_use = false;
  ::munmap(ours.ss_sp, ours.ss_size);
  ours = {};
}

int change_fault_stack(const stack_t* requested, stack_t* before, ChangeStack next) noexcept {
  if (!pages_are_watched()) return next(requested, before);
  const bool had_none = is_in_use;
  const bool sets = requested != nullptr && (requested->ss_flags & SS_DISABLE) == 0;
  if (sets) never_watch(*requested);
  const int error = next(requested, before);
  if (error != 0) return error;
  if (before != nullptr && had_none) {
    *before = {};
    before->ss_flags = SS_DISABLE;
  }
  if (sets) is_in_use = false;
  if (requested != nullptr && !sets) install_ours();
  return 0;
}

void exclude_earlier_fault_stacks() noexcept {
  const std::size_t count = std::min(how_many.load(), earlier.size());
  std::for_each_n(earlier.begin(), count, [](const Range& data) { PageWatch::running()->exclude(data); });
}

}  // namespace stretto::memory
