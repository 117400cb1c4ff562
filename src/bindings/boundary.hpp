// SPDX-License-Identifier: BSD-3-Clause
// The boundary between C++ and the C interface, which no exception passes: it becomes a code, and its message
// is kept for the thread.
#pragma once

#include <cstddef>
#include <stretto/error.hpp>
#include <string>
#include <utility>

namespace stretto::bindings {

/// Records the message of the exception that is being handled, and returns its code.
[[nodiscard]] int code_of_current() noexcept;

/// Calls `body`. Returns STRETTO_SUCCESS, or the code of what it throws.
template <typename Body>
int guarded(Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return 0;
  } catch (...) {
    return code_of_current();
  }
}

[[noreturn]] void throw_null(const char* argument);

/// What an argument points to. Throws ArgumentError for NULL.
template <typename T>
T& given(T* pointer, const char* argument) {
  if (pointer == nullptr) [[unlikely]]
    throw_null(argument);
  return *pointer;
}

[[noreturn]] void throw_no_constant(const char* argument, int number, const char* header = "stretto.h");

/// The enumerator of one of a header's constants, which count from 0 to `last`. Throws ArgumentError for
/// other numbers.
template <typename Enumeration>
Enumeration enumerator(int number, int last, const char* argument, const char* header = "stretto.h") {
  if (number < 0 || number > last) throw_no_constant(argument, number, header);
  return static_cast<Enumeration>(number);
}

/// Calls `make`, and stores what it returns at `result`; returns as guarded(). NULL is refused before `make`
/// is called: an assignment to `given(result)` would call it first.
template <typename T, typename Make>
int give(T* result, const char* argument, Make&& make) noexcept {
  return guarded([&] {
    T& place = given(result, argument);
    place = std::forward<Make>(make)();
  });
}

/// Deletes an object of the caller, whose pointer to it becomes NULL.
template <typename T>
void release(T*& object) {
  delete object;
  object = nullptr;
}

/// Ends an object of the caller by `end`, and releases it; returns as guarded().
template <typename T, typename End>
int freed(T** pointer, const char* argument, End&& end) noexcept {
  return guarded([&] {
    T*& object = given(pointer, argument);
    std::forward<End>(end)(given(object, argument));
    release(object);
  });
}

/// An argument that is an array. Throws ArgumentError for NULL with elements.
template <typename T>
T* given_array(T* elements, std::size_t count, const char* argument) {
  if (elements == nullptr && count > 0) [[unlikely]]
    throw_null(argument);
  return elements;
}

}  // namespace stretto::bindings
