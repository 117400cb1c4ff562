// SPDX-License-Identifier: BSD-3-Clause
#include "profile/document.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "network/json_depth.hpp"

namespace stretto::profile {
namespace {

constexpr const char* schema = "stretto.profile/1.";

}  // namespace

void refuse(const std::filesystem::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what);
}

nlohmann::json parse_document(std::string_view text) {
  if (network::nests_too_deep(text)) {
    throw std::invalid_argument("is nested too deeply; make the profile again with `stretto fit`");
  }
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) {
    throw std::invalid_argument("is no JSON object; make the profile again with `stretto fit`");
  }
  const auto schema_member = json.find("schema");
  if (schema_member == json.end() || !schema_member->is_string() ||
      !schema_member->get<std::string>().starts_with(schema)) {
    throw std::invalid_argument(std::string("is no profile that this version reads (schema ") + schema +
                                "x); fit it again");
  }
  return json;
}

nlohmann::json read_document(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream)
    refuse(file, "cannot be read; name a profile that `stretto fit` wrote, or unset STRETTO_PROFILE");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  try {
    return parse_document(text);
  } catch (const std::invalid_argument& error) {
    refuse(file, error.what());
  }
}

}  // namespace stretto::profile
