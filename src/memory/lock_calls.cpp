// SPDX-License-Identifier: BSD-3-Clause
// mlockall() of instrumented programs, recorded or not: the kernel would fill the whole shadow.
#include <dlfcn.h>
#include <sys/mman.h>

#include "memory/reserved.hpp"

extern "C" __attribute__((visibility("default"))) int mlockall(int flags) noexcept {
  static auto* const next = reinterpret_cast<int (*)(int) noexcept>(::dlsym(RTLD_NEXT, "mlockall"));
  return stretto::memory::lock_all(flags, next);
}
