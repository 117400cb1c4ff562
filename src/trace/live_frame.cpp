// SPDX-License-Identifier: BSD-3-Clause
#include "trace/live_frame.hpp"

#include <dlfcn.h>
#include <unwind.h>

#include <cstdint>

namespace stretto::trace {
namespace {

/// The walk from the current frame outwards. A frame begins where the stack of the one that it calls ends.
struct Walk {
  std::uintptr_t object;
  std::uintptr_t inner;
  std::uintptr_t begin = 0;  // of the frame before
  std::uintptr_t code = 0;   // its return address
  bool passed_inner = false;
  bool found = false;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* frame, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uintptr_t begin = _Unwind_GetCFA(frame);
  const auto is_here = [&](std::uintptr_t place) {
    return walk.begin != 0 && walk.begin <= place && place < begin;
  };
  if (is_here(walk.inner)) {
    walk.passed_inner = true;
  } else if (walk.passed_inner && is_here(walk.object)) {
    walk.found = true;
    return _URC_END_OF_STACK;
  }
  walk.begin = begin;
  walk.code = _Unwind_GetIP(frame);
  return _URC_NO_REASON;
}

}  // namespace

bool is_in_live_frame(const void* object, const void* inner) {
  static const char this_library = 0;
  Walk walk{.object = reinterpret_cast<std::uintptr_t>(object),
            .inner = reinterpret_cast<std::uintptr_t>(inner)};
  _Unwind_Backtrace(visit_frame, &walk);
  Dl_info own{};
  Dl_info found{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code
  const void* code = reinterpret_cast<void*>(walk.code);
  return walk.found && ::dladdr(&this_library, &own) != 0 && ::dladdr(code, &found) != 0 &&
         own.dli_fbase == found.dli_fbase;
}

}  // namespace stretto::trace
