// SPDX-License-Identifier: BSD-3-Clause
// Lines, words and numbers of the text files of other tools.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "foreign/mapped_file.hpp"

namespace stretto::foreign {

inline constexpr std::string_view decimal_digits = "0123456789";
inline constexpr std::string_view white_space = " \t\r\v\f\n";

inline std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

/// Takes so many characters off the front, or all there are.
inline std::string_view take(std::string_view& text, std::size_t count) {
  const std::string_view taken = text.substr(0, count);
  text.remove_prefix(taken.size());
  return taken;
}

/// Takes what precedes a character off the front, and that character, too; all, where there is none.
inline std::string_view take_until(std::string_view& text, char end) {
  const std::string_view taken = take(text, text.find(end));
  take(text, 1);
  return taken;
}

inline std::string_view take_digits(std::string_view& text) {
  return take(text, text.find_first_not_of(decimal_digits));
}

/// Takes a word off the front; empty: there is none.
inline std::string_view take_word(std::string_view& text) {
  take(text, text.find_first_not_of(white_space));
  return take(text, text.find_first_of(white_space));
}

inline std::string_view trimmed(std::string_view text) {
  take(text, text.find_first_not_of(white_space));
  return text.substr(0, text.find_last_not_of(white_space) + 1);
}

inline bool is_natural(std::string_view text) {
  return !text.empty() && text.find_first_not_of(decimal_digits) == std::string_view::npos;
}

/// A whole number, or the largest or smallest one where it is beyond; none: the text is no number.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (stopped != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) return text.front() == '-' ? Limits::min() : Limits::max();
  return number;
}

inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char one) { return std::tolower(one); });
  return lower;
}

/// The begin of a text as a message has it.
inline std::string shown(std::string_view text, std::size_t most = 60) {
  std::string begin(trimmed(text.substr(0, most)));
  std::ranges::replace_if(
      begin, [](unsigned char one) { return std::iscntrl(one) != 0; }, '?');
  return begin;
}

}  // namespace stretto::foreign
