// SPDX-License-Identifier: BSD-3-Clause
#include "profile/installed.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace stretto::profile {
namespace {

/// The FNV-1a hash (Fowler, Noll, Vo). The Python code computes the same key.
std::uint64_t fnv_1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char one : text) hash = (hash ^ static_cast<unsigned char>(one)) * 0x100000001b3U;
  return hash;
}

}  // namespace

std::string key(std::string_view library, std::vector<std::string> hosts, std::string_view network) {
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  std::string lines(library);
  for (const std::string& host : hosts) lines.append("\n").append(host);
  lines.append("\n").append(network);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(fnv_1a(lines)));
  return digits;
}

std::optional<std::filesystem::path> installed_path(std::string_view key) {
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  std::filesystem::path base;
  if (data != nullptr && data[0] == '/') {
    base = data;
  } else if (home != nullptr && home[0] == '/') {
    base = std::filesystem::path(home) / ".local" / "share";
  } else {
    return std::nullopt;
  }
  return base / "stretto" / "profiles" / std::string(key).append(".json");
}

std::string library_line(std::string_view text) {
  // Open MPI counts the terminating zero as a character of its text.
  constexpr std::string_view ends("\r\n\0", 3);
  std::istringstream words{std::string(text.substr(0, text.find_first_of(ends)))};
  std::string line;
  for (std::string word; words >> word;) line.append(line.empty() ? "" : " ").append(word);
  return line;
}

}  // namespace stretto::profile
