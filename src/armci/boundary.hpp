// SPDX-License-Identifier: BSD-3-Clause
// Between C++ and C: no exception gets out. Functions that return int return a code after a line on stderr,
// the others end the program.
#pragma once

#include <armci/armci.h>

#include <exception>
#include <stretto/error.hpp>
#include <string>
#include <utility>

namespace stretto::armci {

/// What the interface has a code for.
class Refused : public Error {
 public:
  Refused(int code, const std::string& what) : Error(what), code_(code) {}
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// One line on stderr that names the process and the function.
void report(const char* function, const char* what) noexcept;
/// Ends all processes.
[[noreturn]] void abort_all(int code) noexcept;
/// The code for the exception that is being handled, after report().
[[nodiscard]] int code_of_current(const char* function) noexcept;

/// 0, or the code of what `body` throws.
template <typename Body>
int coded(const char* function, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return 0;
  } catch (...) {
    return code_of_current(function);
  }
}

/// What `body` returns; when it throws, ends all processes.
template <typename Body>
auto certain(const char* function, Body&& body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    abort_all(code_of_current(function));
  }
}

}  // namespace stretto::armci
