// SPDX-License-Identifier: BSD-3-Clause
// Errors in collective calls: where one rank refuses, all report an error, because the others would wait for
// it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>
#include <stretto/error.hpp>
#include <stretto/runtime.hpp>
#include <stretto/team.hpp>
#include <string>

namespace stretto::onesided {

/// An error with a code of the component that throws it, which travels to the other ranks.
class CodedError : public Error {
 public:
  CodedError(int code, const std::string& what) : Error(what), code_(code) {}
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// The largest of the values that ranks give, less than 2^62. Collective.
using Maximum = std::function<std::uint64_t(std::uint64_t)>;

/// Calls `check` on every rank of `over`, and returns the largest `value`. Where `check` throws on some
/// ranks, all ranks throw: those what they have thrown, the others an error of the same kind, which names the
/// lowest rank that refuses; `names` has its rank for messages. Takes one maximum where none refuses.
/// Collective.
[[nodiscard]] std::uint64_t agree(MPI_Comm over, const Maximum& maximum, std::uint64_t value,
                                  const std::function<void()>& check, std::span<const int> names = {});

/// The same without a value, for ranks that need not serve requests while they wait.
void agree(MPI_Comm over, const std::function<void()>& check);

// The same for ranks that serve requests while they wait.
void agree(const Runtime& runtime, const std::function<void()>& check);
void agree(const Team& team, const std::function<void()>& check);
[[nodiscard]] std::uint64_t agree(const Team& team, std::uint64_t value, const std::function<void()>& check);

/// Throws ArgumentError `argument` on all ranks where the numbers are not the same on all. Collective.
void agree_on_equal(const Runtime& runtime, std::span<const std::uint64_t> numbers, const char* argument);

}  // namespace stretto::onesided
