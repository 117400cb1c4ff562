// SPDX-License-Identifier: BSD-3-Clause
#include "profile/runtime_settings.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "profile/document.hpp"

namespace stretto::profile {
namespace {

using Json = nlohmann::json;

/// The number of a member within its bounds; zero where it is absent.
double number(const std::filesystem::path& file, const Json& members, const char* name, double low,
              double high) {
  const auto found = members.find(name);
  if (found == members.end() || found->is_null()) return 0;
  const double value = found->is_number() ? found->get<double>() : -1;
  const bool within = value >= low && value <= high;
  if (!within) {
    refuse(file, std::string("runtime.") + name + " is " + found->dump().substr(0, 40) +
                     ", not a number from " + Json(low).dump() + " to " + Json(high).dump() + "; correct it");
  }
  return value;
}

}  // namespace

RuntimeSettings read_runtime_settings(const std::filesystem::path& file) {
  const Json json = read_document(file);
  const auto runtime = json.find("runtime");
  if (runtime == json.end()) return {};
  if (!runtime->is_object()) refuse(file, "runtime is no object; correct it");
  return {.poll_interval_s = number(file, *runtime, "pace_s", 1e-6, 1),
          .segment_bytes =
              static_cast<std::uint64_t>(number(file, *runtime, "segment_bytes", 256, std::size_t{1} << 30)),
          .outstanding = static_cast<std::int64_t>(number(file, *runtime, "outstanding", 1, 4096))};
}

}  // namespace stretto::profile
