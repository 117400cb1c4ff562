// SPDX-License-Identifier: BSD-3-Clause
// GOAL text as a sequence of tokens. Comments are skipped; the end of a line is a token, because it ends a
// statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stretto::replay {

struct GoalToken {
  enum class Kind : std::uint8_t {
    word,
    number,
    minus_one,
    colon,
    open,
    close,
    end_of_statement,
    end,
    other
  };
  Kind kind = Kind::end;
  std::string_view text;
  std::uint64_t number = 0;  ///< saturates at 2^64 - 1
};

class GoalLexer {
 public:
  explicit GoalLexer(std::string_view text) : text_(text) {}

  GoalToken next();
  /// The line of the last token, from 1.
  [[nodiscard]] std::uint32_t line() const { return token_line_; }
  /// The line at which an unterminated comment begins; 0: none.
  [[nodiscard]] std::uint32_t open_comment() const { return open_comment_; }

 private:
  void skip_blank();
  GoalToken take(GoalToken::Kind kind, std::size_t length);
  GoalToken take_number();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t token_line_ = 1;
  std::uint32_t open_comment_ = 0;
};

/// A token for an error message: short and printable.
[[nodiscard]] std::string shown(const GoalToken& token);

}  // namespace stretto::replay
