// SPDX-License-Identifier: BSD-3-Clause
#include "tools/request_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "network/json_depth.hpp"

namespace stretto::tools {
namespace {

constexpr std::string_view schema_name = "stretto.request/1.";

std::string text_of(const std::string& argument) {
  if (argument.starts_with('{')) return argument;
  std::ifstream file(argument);
  if (!file.is_open()) throw std::invalid_argument("--request: cannot read " + argument);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_schema(const RequestJson& json) {
  const auto found = json.find("schema");
  if (found == json.end()) return;
  if (!found->is_string() || !found->get<std::string>().starts_with(schema_name)) {
    throw std::invalid_argument("--request: schema " + found->dump() + ": this program reads " +
                                std::string{schema_name} + "x");
  }
}

}  // namespace

RequestJson request_json(const std::string& argument) {
  const std::string text = text_of(argument);
  if (network::nests_too_deep(text)) throw std::invalid_argument("--request: is nested too deeply");
  RequestJson json;
  try {
    json = RequestJson::parse(text);
  } catch (const RequestJson::parse_error& error) {
    throw std::invalid_argument("--request: no JSON, see byte " + std::to_string(error.byte));
  }
  if (!json.is_object()) throw std::invalid_argument("--request: must be one JSON object");
  check_schema(json);
  return json;
}

void RequestReader::require(const std::string& name) const {
  if (!json_.contains(name)) throw std::invalid_argument("--request: member " + name + " is missing");
}

void RequestReader::finish() const {
  for (const auto& [name, value] : json_.items()) {
    if (std::ranges::find(known_, name) == known_.end()) {
      throw std::invalid_argument("--request: unknown member " + name + "; --defaults shows all");
    }
  }
}

}  // namespace stretto::tools
