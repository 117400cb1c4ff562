// SPDX-License-Identifier: BSD-3-Clause
// Converts GOAL text to a schedule and back.
#include <fmt/format.h>

#include "replay/goal.hpp"
#include "replay/goal_labels.hpp"
#include "replay/goal_lexer.hpp"

namespace stretto::replay {
namespace {

using Token = GoalToken::Kind;

constexpr std::uint64_t largest_tag = 0xFFFFFFFE;
constexpr std::uint64_t largest_resource = 255;  // the limit of the binary format
// `rank 0{}` is the shortest rank: a file has at most its bytes divided by this number of ranks.
constexpr std::size_t min_bytes_a_rank = 8;

class Parser {
 public:
  Parser(std::string_view text, std::string_view name) : lexer_(text), name_(name), size_(text.size()) {}

  Schedule parse() {
    advance();
    parse_ranks();
    skip_ends();
    while (token_.kind != Token::end) {
      parse_rank();
      skip_ends();
    }
    if (rank_ < ranks_) fail(fmt::format("rank {} is missing: num_ranks says {}", rank_, ranks_));
    return builder_.finish();
  }

 private:
  [[noreturn]] void fail(const std::string& what) { fail_at(lexer_.line(), what); }
  [[noreturn]] void fail_at(std::uint32_t line, const std::string& what) {
    throw GoalError(fmt::format("{}:{}: {}", name_, line, what));
  }

  [[noreturn]] void expected(std::string_view what) {
    if (lexer_.open_comment() != 0) fail_at(lexer_.open_comment(), "this comment has no end: write */");
    fail(fmt::format("expected {} instead of {}", what, shown(token_)));
  }

  void advance() { token_ = lexer_.next(); }
  void skip_ends() {
    while (token_.kind == Token::end_of_statement) advance();
  }
  [[nodiscard]] bool at_word(std::string_view word) const {
    return token_.kind == Token::word && token_.text == word;
  }

  void take(Token kind, std::string_view what) {
    if (token_.kind != kind) expected(what);
    advance();
  }

  void take_word(std::string_view word, std::string_view what) {
    if (!at_word(word)) expected(what);
    advance();
  }

  std::uint64_t take_number(std::uint64_t most, std::string_view what) {
    if (token_.kind != Token::number) expected(what);
    if (token_.number > most) fail(fmt::format("{} is too large: {} at most", shown(token_), most));
    const std::uint64_t number = token_.number;
    advance();
    return number;
  }

  void parse_ranks() {
    skip_ends();
    take_word("num_ranks", "'num_ranks N'");
    ranks_ = static_cast<std::uint32_t>(take_number(max_ranks, "the number of ranks"));
    if (ranks_ == 0) fail("num_ranks 0: give at least 1");
    if (ranks_ > size_ / min_bytes_a_rank) {
      fail(fmt::format("num_ranks {}: the file is too short to have so many", ranks_));
    }
  }

  void parse_rank() {
    const std::uint32_t line = lexer_.line();
    take_word("rank", rank_ < ranks_ ? fmt::format("'rank {} {{'", rank_) : "the end of the file");
    const std::uint64_t rank = take_number(0xFFFFFFFF, "the number of the rank");
    if (rank >= ranks_) fail_at(line, fmt::format("rank {}: num_ranks says {}", rank, ranks_));
    if (rank != rank_) {
      fail_at(line,
              fmt::format("rank {} where rank {} should be: give every rank once, in order", rank, rank_));
    }
    skip_ends();
    take(Token::open, "'{'");
    labels_.clear();
    lines_.clear();
    while (true) {
      skip_ends();
      if (token_.kind == Token::close) break;
      parse_statement();
    }
    advance();
    end_rank();
  }

  void end_rank() {
    const OperationId cyclic = builder_.find_cycle();
    if (cyclic != no_operation) {
      const std::uint32_t number = cyclic - (total_ - builder_.operations_of_rank());
      fail_at(lines_[number], fmt::format("the dependencies of rank {} lead from this operation back to it: "
                                          "take one of them away",
                                          rank_));
    }
    builder_.end_rank();
    ++rank_;
  }

  void parse_statement() {
    if (token_.kind != Token::word) expected("an operation, a label or '}'");
    const GoalToken first = token_;
    const std::uint32_t line = lexer_.line();
    advance();
    if (token_.kind == Token::colon) {
      advance();
      const GoalToken verb = token_;
      if (verb.kind != Token::word) expected("send, recv or calc");
      advance();
      parse_operation(verb, line);
      if (!labels_.insert(first.text, builder_.operations_of_rank() - 1)) {
        fail_at(line,
                fmt::format("label {} is used twice in rank {}: give another one", shown(first), rank_));
      }
    } else if (at_word("requires") || at_word("irequires")) {
      parse_dependency(first, line);
    } else {
      parse_operation(first, line);
    }
    if (token_.kind != Token::end_of_statement && token_.kind != Token::close)
      expected("the end of the line");
  }

  void parse_dependency(const GoalToken& later, std::uint32_t line) {
    const bool start = token_.text == "irequires";
    advance();
    if (token_.kind != Token::word) expected("a label");
    const std::uint32_t later_number = number_of(later, line);
    const std::uint32_t earlier_number = number_of(token_, line);
    if (start) {
      builder_.require_start(later_number, earlier_number);
    } else {
      builder_.require(later_number, earlier_number);
    }
    advance();
  }

  std::uint32_t number_of(const GoalToken& label, std::uint32_t line) {
    const std::uint32_t number = labels_.find(label.text);
    if (number == GoalLabels::none) {
      fail_at(line, fmt::format("rank {} has no operation {} above: label one", rank_, shown(label)));
    }
    return number;
  }

  void parse_operation(const GoalToken& verb, std::uint32_t line) {
    ScheduleOperation operation{.line = line};
    if (verb.text == "calc") {
      operation.amount = take_number(largest_amount, "the nanoseconds of a calc");
    } else if (verb.text == "send" || verb.text == "recv") {
      parse_message(operation, verb.text == "send");
    } else {
      fail_at(line, fmt::format("{} is no operation: write send, recv or calc", shown(verb)));
    }
    parse_attributes(operation);
    builder_.add(operation);
    lines_.push_back(line);
    ++total_;
  }

  void parse_message(ScheduleOperation& operation, bool send) {
    operation.kind = send ? OperationKind::send : OperationKind::receive;
    operation.amount = take_number(largest_amount, "the size of the message");
    take_word("b", "'b' after the size");
    if (send) {
      take_word("to", "'to RANK'");
    } else {
      take_word("from", "'from RANK'");
    }
    if (!send && token_.kind == Token::minus_one) {
      operation.peer = any;
      advance();
      return;
    }
    const GoalToken peer = token_;
    const std::uint64_t rank = take_number(0xFFFFFFFF, "a rank");
    if (rank >= ranks_) {
      fail(fmt::format("there is no rank {}: num_ranks says {}", shown(peer), ranks_));
    }
    operation.peer = static_cast<std::uint32_t>(rank);
  }

  void parse_attributes(ScheduleOperation& operation) {
    const bool message = operation.kind != OperationKind::calculate;
    bool has_tag = !message;
    bool has_cpu = false;
    bool has_nic = !message;
    while (token_.kind == Token::word) {
      if (at_word("tag") && !has_tag) {
        has_tag = true;
        operation.tag = take_tag(operation.kind == OperationKind::receive);
      } else if (at_word("cpu") && !has_cpu) {
        has_cpu = true;
        operation.cpu = cpu_of_file(take_resource("the number of a cpu"));
      } else if (at_word("nic") && !has_nic) {
        has_nic = true;
        operation.nic = take_resource("the number of a nic");
      } else {
        expected(message ? "tag, cpu or nic, each once," : "cpu, once,");
      }
    }
  }

  std::uint32_t take_tag(bool wild) {
    advance();
    if (wild && token_.kind == Token::minus_one) {
      advance();
      return any;
    }
    return static_cast<std::uint32_t>(take_number(largest_tag, "a tag"));
  }

  std::uint8_t take_resource(std::string_view what) {
    advance();
    return static_cast<std::uint8_t>(take_number(largest_resource, what));
  }

  GoalLexer lexer_;
  std::string_view name_;
  std::size_t size_;
  GoalToken token_;
  std::uint32_t ranks_ = 0;
  std::uint32_t rank_ = 0;   // the next
  std::uint32_t total_ = 0;  // operations of all ranks so far
  GoalLabels labels_;
  std::vector<std::uint32_t> lines_;  // of the current rank
  ScheduleBuilder builder_;
};

}  // namespace

Schedule parse_goal_text(std::string_view text, std::string_view name) {
  try {
    return Parser(text, name).parse();
  } catch (const ScheduleError& error) {
    throw GoalError(fmt::format("{}: {}", name, error.what()));
  }
}

std::string to_goal_text(const Schedule& schedule) {
  std::string text;
  text += fmt::format("num_ranks {}\n", schedule.ranks());
  for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
    const OperationId begin = schedule.first_operation[rank];
    const OperationId end = schedule.first_operation[rank + 1];
    text += fmt::format("\nrank {} {{\n", rank);
    for (OperationId id = begin; id < end; ++id) {
      text += fmt::format("l{}: {}\n", id - begin + 1, goal_text(schedule.operation(id)));
    }
    for (OperationId id = begin; id < end; ++id) {
      for (std::uint32_t at = schedule.first_dependent[id]; at < schedule.first_dependent[id + 1]; ++at) {
        const std::uint32_t dependent = schedule.dependents[at];
        text += fmt::format("l{} {} l{}\n", (dependent >> 1U) - begin + 1,
                            (dependent & 1U) != 0 ? "irequires" : "requires", id - begin + 1);
      }
    }
    text += "}\n";
  }
  return text;
}

std::string label_at(std::string_view text, std::uint32_t line) {
  for (std::uint32_t at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  GoalLexer lexer(text.substr(0, text.find('\n')));
  const GoalToken first = lexer.next();
  return first.kind == Token::word && lexer.next().kind == Token::colon ? std::string(first.text)
                                                                        : std::string();
}

}  // namespace stretto::replay
