// SPDX-License-Identifier: BSD-3-Clause
// Which code of a program is its own, and which that of templates of the C++ library. A compiler that does
// not optimise leaves a container's functions in the program, and they allocate for all containers.
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
