// SPDX-License-Identifier: BSD-3-Clause
// The files of a time-independent trace of SimGrid, and their actions. It has the ranks' actions, one a line,
// in one file or in a file per rank that an index names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/foreign_call.hpp"

namespace stretto::foreign {

/// The place of a number among those of an action: some stand behind one number for each rank.
struct ActionPlace {
  constexpr ActionPlace(int at = -1, int and_ranks = 0) : first(at), per_rank(and_ranks) {}
  int first;  ///< -1: there is none
  int per_rank;
};

/// The bytes that a collective sends or receives: of one block, of one for each rank, each with its number of
/// elements, or of equal ones for all.
struct ActionBytes {
  enum Blocks : std::uint8_t { none, one, each, equal } blocks = none;
  ActionPlace elements;
  ActionPlace type;
};

struct Action {
  enum Kind : std::uint8_t { begin, end, compute, sleep, message, collective, wait, waitall, test, no_call };
  std::string_view name;
  Kind kind = no_call;
  const char* function = "";    ///< of MPI
  Moved moved = Moved::by_all;  ///< of a message
  bool is_blocking = true;
  ActionBytes sent, received;
  ActionPlace root, flops;
};

/// The words of an action. Each function throws Damaged where there are too few, or is none of its kind.
class ActionWords {
 public:
  /// Reads what stands behind the rank.
  void read(std::string_view line);
  /// In lower case; the words behind it count from 0.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Null: there is none of that name.
  [[nodiscard]] const Action* action() const;
  [[nodiscard]] bool has(std::size_t at) const { return at < words_.size(); }
  /// A nonnegative number.
  [[nodiscard]] double number(std::size_t at) const;
  /// A rank, or a tag.
  [[nodiscard]] std::int64_t whole(std::size_t at) const;
  /// The size of a datatype, `bytes` where none is given; 0: the trace does not say the size.
  [[nodiscard]] double type_bytes(std::size_t at, double bytes) const;

 private:
  [[nodiscard]] std::string_view word(std::size_t at) const;

  std::string name_;
  std::vector<std::string_view> words_;
};

/// The files with the actions of a trace. Throws Damaged, as the others.
[[nodiscard]] std::vector<std::filesystem::path> action_files(const std::filesystem::path& source);

/// Calls `take` with the rank of each action of a file, and its words.
void read_actions(const std::filesystem::path& file,
                  const std::function<void(std::size_t, const ActionWords&)>& take);

/// The number of ranks of a file with the actions of all.
[[nodiscard]] std::size_t count_ranks(const std::filesystem::path& file);

}  // namespace stretto::foreign
