// SPDX-License-Identifier: BSD-3-Clause
// The command line of a native program, over CLI11. Its templates take longer to compile than most
// programs: only command_line.cpp includes them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stretto::tools {

/// What holds of an option besides its type.
struct Rule {
  bool required = false;
  bool commas = false;                        ///< several values in one word
  bool again = false;                         ///< one value a time, and as often as one likes
  std::pair<double, double> range = {0, -1};  ///< least and largest; reversed: any
};

class CommandLine {
 public:
  /// Where a value goes. It keeps what it had if the option is not given.
  using Place = std::variant<bool*, int*, unsigned*, std::uint16_t*, std::uint64_t*, double*, std::string*,
                             std::filesystem::path*, std::vector<int>*, std::vector<std::uint64_t>*,
                             std::vector<double>*, std::vector<std::string>*>;

  /// `about`: the first line of the help. `name`: of the program, where others stand before it.
  explicit CommandLine(const std::string& about, const std::string& name = {});
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// `names`: `-o,--output`, or a bare word for what has no dashes; `what`: for the help.
  void add(const std::string& names, const Place& place, const std::string& what = {}, const Rule& rule = {});

  /// Another command line behind a word, of which one must be given.
  [[nodiscard]] CommandLine& command(const std::string& name, const std::string& what);

  /// Fills the places. Not empty: the help that was requested; nothing else is to be done then. Throws
  /// std::invalid_argument with one line.
  [[nodiscard]] std::string parse(int argc, char** argv);

  [[nodiscard]] bool has(const std::string& name) const;  ///< whether the option was given
  [[nodiscard]] bool chosen() const;                      ///< whether this command was

 private:
  struct Parser;
  explicit CommandLine(std::unique_ptr<Parser> parser);

  std::unique_ptr<Parser> parser_;
  std::vector<std::unique_ptr<CommandLine>> commands_;
};

}  // namespace stretto::tools
