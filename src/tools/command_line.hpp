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

/// The constraints of an option besides its type.
struct Rule {
  bool required = false;
  bool commas = false;                        ///< several values separated by commas
  bool again = false;                         ///< one value each time; may be repeated
  std::pair<double, double> range = {0, -1};  ///< smallest and largest value; no limit where reversed
};

class CommandLine {
 public:
  /// The variable that receives a value. It keeps its value if the option is not given.
  using Place = std::variant<bool*, int*, unsigned*, std::uint16_t*, std::uint64_t*, double*, std::string*,
                             std::filesystem::path*, std::vector<int>*, std::vector<std::uint64_t>*,
                             std::vector<double>*, std::vector<std::string>*>;

  /// `about`: the first line of the help. `name`: the name of the program, needed where the program has
  /// commands.
  explicit CommandLine(const std::string& about, const std::string& name = {});
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// Adds an option. `names`: `-o,--output`, or a bare word for a positional argument; `what`: its line in
  /// the help.
  void add(const std::string& names, const Place& place, const std::string& what = {}, const Rule& rule = {});

  /// Adds a command with a command line of its own. One command must be given.
  [[nodiscard]] CommandLine& command(const std::string& name, const std::string& what);

  /// Sets the variables. Returns the help if it was requested, and then the program must only print it.
  /// Throws std::invalid_argument with a message of one line.
  [[nodiscard]] std::string parse(int argc, char** argv);

  [[nodiscard]] bool has(const std::string& name) const;  ///< whether the option was given
  [[nodiscard]] bool chosen() const;                      ///< whether this command was given

 private:
  struct Parser;
  explicit CommandLine(std::unique_ptr<Parser> parser);

  std::unique_ptr<Parser> parser_;
  std::vector<std::unique_ptr<CommandLine>> commands_;
};

}  // namespace stretto::tools
