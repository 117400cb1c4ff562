// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a trace of another tool.
#pragma once

#include <stdexcept>

namespace stretto::foreign {

/// One line: what is wrong, and where it is known.
class Damaged : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A trace without a call of MPI.
class NoMpi : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace stretto::foreign
