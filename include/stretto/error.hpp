// SPDX-License-Identifier: BSD-3-Clause
// The exceptions of the one-sided runtime. Wrong use is refused before any byte moves. Errors that MPI
// reports are a std::runtime_error with the name of the call.
#pragma once

#include <stdexcept>
#include <string>

namespace stretto {

/// The base of all of them.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invalid argument. The message begins with its name.
class ArgumentError : public Error {
 public:
  ArgumentError(std::string argument, const std::string& what)
      : Error(argument + ": " + what), argument_(std::move(argument)) {}
  /// The name of the argument, as in the header that declares the function.
  [[nodiscard]] const std::string& argument() const { return argument_; }

 private:
  std::string argument_;
};

/// A handle that the call does not take: of another runtime, or still pending where it must not be; or an
/// aggregate of operations that cannot be mixed.
class HandleError : public Error {
 public:
  using Error::Error;
};

/// A region was freed while operations on it were pending.
class RegionInUseError : public Error {
 public:
  using Error::Error;
};

/// A runtime was used after finalize(), or a region after free().
class FinalizedError : public Error {
 public:
  using Error::Error;
};

/// A rank has not as much memory as a collective call needs. The message names the rank.
class MemoryError : public Error {
 public:
  using Error::Error;
};

/// No rank answered for Options::timeout_s seconds. The message names the rank that did not. Memory of the
/// operation is not used any more, except where a handle of it is pending.
class TimeoutError : public Error {
 public:
  using Error::Error;
};

/// The program's check (stretto/wait_check.hpp) has ended a wait, as a timeout does.
class InterruptedError : public TimeoutError {
 public:
  using TimeoutError::TimeoutError;
};

}  // namespace stretto
