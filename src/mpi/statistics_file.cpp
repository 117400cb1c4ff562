// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/statistics_file.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace stretto::mpi {
namespace {

/// The libraries of a process share no symbols, but its environment: the process that has begun its file.
constexpr const char* begun_by = "STRETTO_STATISTICS_BEGUN_BY";

bool is_begun() {
  const std::string process = std::to_string(getpid());
  const char* const begun = std::getenv(begun_by);
  if (begun != nullptr && process == begun) return true;
  setenv(begun_by, process.c_str(), 1);
  return false;
}

}  // namespace

void write_statistics(const std::string& where, const std::string& table) {
  if (where == "1") {
    std::fputs(table.c_str(), stderr);
    return;
  }
  std::FILE* const file = std::fopen(where.c_str(), is_begun() ? "a" : "w");
  bool written = file != nullptr && std::fputs(table.c_str(), file) >= 0;
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (!written) std::fprintf(stderr, "stretto: STRETTO_STATISTICS=%s: cannot be written\n", where.c_str());
}

}  // namespace stretto::mpi
