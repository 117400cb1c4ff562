// SPDX-License-Identifier: BSD-3-Clause
#include "replay/goal_lexer.hpp"

#include <limits>

namespace stretto::replay {
namespace {

constexpr std::size_t longest_shown = 24;

// <cctype> would consult the locale for each character.
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void GoalLexer::skip_blank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '/' && text_.substr(at_, 2) == "//") {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '/' && text_.substr(at_, 2) == "/*") {
      const std::uint32_t begun = line_;
      const std::size_t close = text_.find("*/", at_ + 2);
      const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
      if (close == std::string_view::npos) open_comment_ = begun;
      for (; at_ < end; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
    } else {
      return;
    }
  }
}

GoalToken GoalLexer::take(GoalToken::Kind kind, std::size_t length) {
  const GoalToken token{.kind = kind, .text = text_.substr(at_, length)};
  at_ += length;
  return token;
}

GoalToken GoalLexer::take_number() {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = 0;
  std::size_t end = at_;
  for (; end < text_.size() && is_digit(text_[end]); ++end) {
    const auto digit = static_cast<std::uint64_t>(text_[end] - '0');
    number = number > (most - digit) / 10 ? most : number * 10 + digit;
  }
  GoalToken token = take(GoalToken::Kind::number, end - at_);
  token.number = number;
  return token;
}

GoalToken GoalLexer::next() {
  skip_blank();
  token_line_ = line_;
  if (at_ == text_.size()) return {};
  const char c = text_[at_];
  if (is_digit(c)) return take_number();
  if (is_letter(c) || c == '_') {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '_')) ++end;
    return take(GoalToken::Kind::word, end - at_);
  }
  switch (c) {
    case '\n':
      ++line_;
      return take(GoalToken::Kind::end_of_statement, 1);
    case ';':
      return take(GoalToken::Kind::end_of_statement, 1);
    case ':':
      return take(GoalToken::Kind::colon, 1);
    case '{':
      return take(GoalToken::Kind::open, 1);
    case '}':
      return take(GoalToken::Kind::close, 1);
    default:
      break;
  }
  if (text_.substr(at_, 2) == "-1" && (at_ + 2 == text_.size() || !is_digit(text_[at_ + 2]))) {
    return take(GoalToken::Kind::minus_one, 2);
  }
  return take(GoalToken::Kind::other, 1);
}

std::string shown(const GoalToken& token) {
  if (token.kind == GoalToken::Kind::end) return "the end of the file";
  if (token.kind == GoalToken::Kind::end_of_statement) return "the end of the line";
  std::string text = "'";
  for (const char c : token.text.substr(0, longest_shown)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (token.text.size() > longest_shown ? "...'" : "'");
}

}  // namespace stretto::replay
