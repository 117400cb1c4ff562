// SPDX-License-Identifier: BSD-3-Clause
#include "tools/command_line.hpp"

#undef exit  // SMPI's compiler defines it as a macro, which breaks CLI11's App::exit
#include <CLI/CLI.hpp>
#include <stdexcept>

namespace stretto::tools {

struct CommandLine::Parser {
  std::unique_ptr<CLI::App> own;  // of the program; it owns the parsers of its commands
  CLI::App* app;
};

CommandLine::CommandLine(const std::string& about, const std::string& name)
    : parser_(std::make_unique<Parser>(Parser{std::make_unique<CLI::App>(about, name), nullptr})) {
  parser_->app = parser_->own.get();
}

CommandLine::CommandLine(std::unique_ptr<Parser> parser) : parser_(std::move(parser)) {}

CommandLine::~CommandLine() = default;

void CommandLine::add(const std::string& names, const Place& place, const std::string& what,
                      const Rule& rule) {
  CLI::Option* option = std::visit(
      [&](auto* value) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(value), bool*>) {
          return parser_->app->add_flag(names, *value, what);
        } else {
          return parser_->app->add_option(names, *value, what);
        }
      },
      place);
  if (rule.required) option->required();
  if (rule.commas) option->delimiter(',');
  if (rule.again) option->type_size(1)->allow_extra_args(false);
  if (rule.range.first <= rule.range.second) option->check(CLI::Range(rule.range.first, rule.range.second));
}

CommandLine& CommandLine::command(const std::string& name, const std::string& what) {
  parser_->app->require_subcommand(1);
  auto parser = std::make_unique<Parser>(Parser{nullptr, parser_->app->add_subcommand(name, what)});
  commands_.push_back(std::unique_ptr<CommandLine>(new CommandLine(std::move(parser))));
  return *commands_.back();
}

std::string CommandLine::parse(int argc, char** argv) {
  try {
    parser_->app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return parser_->app->help();
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(error.what());
  }
  return {};
}

bool CommandLine::has(const std::string& name) const { return parser_->app->count(name) > 0; }

bool CommandLine::chosen() const { return parser_->app->parsed(); }

}  // namespace stretto::tools
