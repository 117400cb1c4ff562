// SPDX-License-Identifier: BSD-3-Clause
// Distinguishes the program's own code from templates of the C++ library that were compiled into it. Without
// optimisation a container's functions stay in the program, and would otherwise be named as the place of all
// its allocations.
#pragma once

#include <cstdint>
#include <string_view>

namespace stretto::memory {

/// Whether a mangled name is that of a function in namespace std or __gnu_cxx.
[[nodiscard]] bool is_of_cpp_library(std::string_view mangled);

/// The return address in the innermost of the calling functions that is not of the C++ library, from the
/// caller with return address `pc` on. `pc` where the stack or the symbols are not known.
[[nodiscard]] std::uintptr_t own_caller(std::uintptr_t pc);

}  // namespace stretto::memory
