// SPDX-License-Identifier: BSD-3-Clause
#include "foreign/paraver_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "foreign/damaged.hpp"
#include "foreign/paraver_file.hpp"
#include "foreign/text.hpp"

namespace stretto::foreign {
namespace {

bool is_word(std::string_view text) {
  const auto is_letter = [](unsigned char one) {
    return std::isalnum(one) != 0 || one == '_' || one >= 0x80;
  };
  return std::ranges::all_of(text, is_letter) && decimal_digits.find(text.front()) == std::string_view::npos;
}

}  // namespace

/// A section begins with its name. Types stand in the second column of EVENT_TYPE, and VALUES are of the
/// types before it.
void ParaverNames::read(std::filesystem::path trace) {
  if (trace.extension() == ".gz") trace.replace_extension();
  trace.replace_extension(".pcf");
  if (!std::filesystem::is_regular_file(trace)) {
    throw Damaged(fmt::format("{}, which names its MPI calls, is not next to it", trace.filename().string()));
  }
  const MappedFile file(trace);
  std::set<std::int64_t> types;
  std::string_view section;
  for (std::string_view text = text_of(file); !text.empty();) {
    std::string_view line = take_until(text, '\n');
    const std::string_view first = take_word(line);
    if (first.empty()) continue;
    if (is_word(first)) {
      section = first;
      if (section != "VALUES") types.clear();
    } else if (section == "EVENT_TYPE") {
      const std::int64_t type = whole_number(take_word(line)).value_or(0);
      if (paraver::is_read(type)) types.insert(type);
    } else if (section == "VALUES" && is_natural(first) && !trimmed(line).empty()) {
      for (const std::int64_t type : types) values_[{type, *whole_number(first)}] = trimmed(line);
    }
  }
}

std::string_view ParaverNames::name(const Value& value) const {
  const auto found = values_.find(value);
  return found == values_.end() ? std::string_view() : found->second;
}

const ParaverFunction& ParaverNames::function(std::int64_t kind, std::int64_t value) {
  const auto [found, is_new] = known_functions_.try_emplace({kind, value});
  ParaverFunction& made = found->second;
  if (!is_new) return made;
  const std::string_view known = name({kind, value});
  const bool is_named = known.starts_with("MPI_");
  made.mpi = functions_.add(is_named ? std::string(known) : fmt::format("MPI call {}:{}", kind, value));
  if (!is_named) return made;
  made.is_blocking = !known.starts_with("MPI_I") && !known.starts_with("MPI_Start");
  made.operation = in_lower_case(known.substr(known.starts_with("MPI_I") ? 5 : 4));
  if (known.starts_with("MPI_Start")) {
    made.sends = made.receives = known == "MPI_Startall" ? std::numeric_limits<std::size_t>::max() : 1;
  } else if (!known.ends_with("_init")) {
    made.sends = made.operation.find("send") != std::string::npos ? 1 : 0;
    made.receives = made.operation.find("recv") != std::string::npos ? 1 : 0;
  }
  return made;
}

const std::string* ParaverNames::place(std::int64_t caller, std::int64_t line) {
  const auto [found, is_new] = known_places_.try_emplace({caller, line}, nullptr);
  if (is_new && caller != 0) {
    if (std::string place = named_place(caller, line); !place.empty())
      found->second = texts_.add(std::move(place));
  }
  return found->second;
}

/// A caller is a name, maybe with the full one behind it in brackets; a line is `12 (solver.cc, program)`.
std::string ParaverNames::named_place(std::int64_t caller, std::int64_t line) const {
  std::string_view function = name({paraver::caller, caller});
  const std::size_t open = function.find('[');
  const std::size_t close = function.rfind(']');
  if (open != std::string_view::npos && close != std::string_view::npos && close > open + 1)
    function = function.substr(open + 1, close - open - 1);
  std::string_view where = name({paraver::caller_line, line});
  const std::string_view number = take(where, where.find_first_not_of(decimal_digits));
  const std::string_view bracket = take(where, 2);
  const std::string_view source = take(where, where.find_first_of(",)"));
  if (function.empty() || number.empty() || number == "0" || bracket != " (" || source.empty())
    return std::string(function);
  return fmt::format("{} {}:{}", function, source, number);
}

}  // namespace stretto::foreign
