// SPDX-License-Identifier: BSD-3-Clause
// The boundary between C++ and C, which no exception passes. Functions that return int print a line on stderr
// and return a code; the others end the program.
#pragma once

#include <armci/armci.h>

#include <exception>
#include <string>
#include <utility>

#include "onesided/api/agreement.hpp"

namespace stretto::armci {

/// An error that the interface has a code for.
using Refused = onesided::CodedError;

/// Refuses a pointer that is NULL, by the argument's name.
template <typename T>
T* given(T* pointer, const char* argument) {
  if (pointer == nullptr) throw Refused(FAIL, std::string(argument) + ": is NULL");
  return pointer;
}

/// Prints one line on stderr that names the process and the function.
void report(const char* function, const char* what) noexcept;
/// Ends all processes.
[[noreturn]] void abort_all(int code) noexcept;
/// Reports the exception that is being handled, and returns its code.
[[nodiscard]] int code_of_current(const char* function) noexcept;

/// Calls `body`. Returns 0, or the code of what it throws.
template <typename Body>
int status_of(const char* function, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return 0;
  } catch (...) {
    return code_of_current(function);
  }
}

/// Returns what `body` returns; ends all processes when it throws.
template <typename Body>
auto or_abort(const char* function, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    abort_all(code_of_current(function));
  }
}

}  // namespace stretto::armci
