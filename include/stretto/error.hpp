// SPDX-License-Identifier: BSD-3-Clause
// What the one-sided runtime throws. Wrong use is refused before any byte moves; what MPI itself reports is
// an exception of its own, with the name of the call.
#pragma once

#include <stdexcept>
#include <string>

namespace stretto {

/// Everything that the runtime finds wrong.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument that cannot be. The message begins with its name.
class ArgumentError : public Error {
 public:
  ArgumentError(std::string argument, const std::string& what)
      : Error(argument + ": " + what), argument_(std::move(argument)) {}
  /// The name of the argument, as in the header that declares the function.
  [[nodiscard]] const std::string& argument() const { return argument_; }

 private:
  std::string argument_;
};

/// A handle that is not what the call takes: of another runtime, still pending where it must not be, or an
/// aggregate that was given operations which do not go together.
class HandleError : public Error {
 public:
  using Error::Error;
};

/// A region was to be freed while operations on it were pending.
class RegionInUseError : public Error {
 public:
  using Error::Error;
};

/// A runtime was used after finalize(), or a region after free().
class FinalizedError : public Error {
 public:
  using Error::Error;
};

/// Nobody served a request for Options::timeout_s seconds. The message names the rank that was waited for.
class TimeoutError : public Error {
 public:
  using Error::Error;
};

}  // namespace stretto
