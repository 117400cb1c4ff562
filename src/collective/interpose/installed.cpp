// SPDX-License-Identifier: BSD-3-Clause
#include "collective/interpose/installed.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "mpi/check.hpp"

namespace stretto::interpose {
namespace {

using mpi::check;

/// FNV-1a, 64 bits.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t key = 0xCBF29CE484222325;
  for (const char one : text) {
    key ^= static_cast<unsigned char>(one);
    key *= 0x100000001B3;
  }
  return key;
}

std::string data_directory() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && data[0] == '/') return data;
  const char* home = std::getenv("HOME");
  return home == nullptr || home[0] == '\0' ? std::string{} : std::string{home} + "/.local/share";
}

}  // namespace

std::string installed_profile(const std::string& library, std::vector<std::string> hosts) {
  const std::string directory = data_directory();
  if (directory.empty()) return {};
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  std::string lines = library;
  for (const std::string& host : hosts) lines += "\n" + host;
  lines += "\n";  // and no network: that of the machine itself
  std::array<char, 17> key{};
  std::snprintf(key.data(), key.size(), "%016llx", static_cast<unsigned long long>(hash_of(lines)));
  return directory + "/stretto/profiles/" + key.data() + ".json";
}

std::string library_line() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(PMPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  const std::string all(text.data(), static_cast<std::size_t>(length));
  std::istringstream words(all.substr(0, all.find_first_of("\r\n")));
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

std::vector<std::string> hosts_of(MPI_Comm communicator) {
  using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
  Name mine{};
  int length = 0;
  check(PMPI_Get_processor_name(mine.data(), &length), "MPI_Get_processor_name");
  int rank = 0;
  int ranks = 0;
  check(PMPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check(PMPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::vector<Name> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  check(PMPI_Gather(mine.data(), static_cast<int>(sizeof(Name)), MPI_CHAR, all.data(),
                    static_cast<int>(sizeof(Name)), MPI_CHAR, 0, communicator),
        "MPI_Gather");
  std::vector<std::string> hosts;
  for (const Name& name : all) hosts.emplace_back(name.data());
  return hosts;
}

}  // namespace stretto::interpose
