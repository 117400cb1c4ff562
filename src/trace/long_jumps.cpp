// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of longjmp, by which the program's error handler may leave a call of MPI.
#include <csetjmp>

#include "memory/fault_mask.hpp"
#include "mpi/next_function.hpp"
#include "trace/recorder.hpp"

#define STRETTO_JUMP __attribute__((visibility("default"), noreturn))

namespace {

using Jump = void (*)(__jmp_buf_tag*, int);

[[noreturn]] void jump(Jump next, __jmp_buf_tag* place, int value) {
  stretto::trace::Call::jumps();
  if (place->__mask_was_saved != 0) stretto::memory::fault_handlers_are_left();
  next(place, value);
  __builtin_unreachable();
}

}  // namespace

// libc's own names, and parameters other than its reserved words
// NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name)
extern "C" {

void __longjmp_chk(__jmp_buf_tag* place, int value);

STRETTO_JUMP void longjmp(__jmp_buf_tag* place, int value) noexcept(noexcept(::longjmp(place, value))) {
  jump(reinterpret_cast<Jump>(NEXT(longjmp)), place, value);
}

STRETTO_JUMP void _longjmp(__jmp_buf_tag* place, int value) noexcept(noexcept(::_longjmp(place, value))) {
  jump(reinterpret_cast<Jump>(NEXT(_longjmp)), place, value);
}

STRETTO_JUMP void siglongjmp(__jmp_buf_tag* place, int value) noexcept(noexcept(::siglongjmp(place, value))) {
  jump(reinterpret_cast<Jump>(NEXT(siglongjmp)), place, value);
}

/// What longjmp becomes with _FORTIFY_SOURCE.
STRETTO_JUMP void __longjmp_chk(__jmp_buf_tag* place, int value) {
  jump(reinterpret_cast<Jump>(NEXT(__longjmp_chk)), place, value);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name)
