// SPDX-License-Identifier: BSD-3-Clause
// Numbers as text with a decimal point, whatever the locale that the program has set. Knows no MPI.
#pragma once

#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale and uselocale are POSIX

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace stretto::mpi {

/// The number that all of the text denotes.
[[nodiscard]] inline std::optional<double> plain_number(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

/// printf of the calling thread writes plain numbers while it lives.
class PlainNumbers {
 public:
  PlainNumbers() : plain_(::newlocale(LC_ALL_MASK, "C", locale_t{})) {
    if (plain_ != locale_t{}) before_ = ::uselocale(plain_);
  }
  ~PlainNumbers() {
    if (plain_ == locale_t{}) return;
    ::uselocale(before_);
    ::freelocale(plain_);
  }
  PlainNumbers(const PlainNumbers&) = delete;
  PlainNumbers& operator=(const PlainNumbers&) = delete;
  PlainNumbers(PlainNumbers&&) = delete;
  PlainNumbers& operator=(PlainNumbers&&) = delete;

 private:
  locale_t plain_;
  locale_t before_{};
};

}  // namespace stretto::mpi
