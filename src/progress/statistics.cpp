// SPDX-License-Identifier: BSD-3-Clause
#include "progress/statistics.hpp"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace stretto::progress {
namespace {

using Row = std::array<double, 5>;

std::string table(const std::vector<Row>& rows) {
  std::string text = "# libstretto_progress: rank, requests started, wakes, polls, inside MPI, CPU s\n";
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const Row& row = rows[rank];
    std::array<char, 160> line{};
    std::snprintf(line.data(), line.size(), "%6zu %14.0f %10.0f %10.0f %10.0f %10.3f\n", rank, row[0], row[1],
                  row[2], row[3], row[4]);
    text += line.data();
  }
  return text;
}

}  // namespace

bool statistics_requested() {
  const char* const where = std::getenv("STRETTO_STATISTICS");
  int requested = where != nullptr && *where != '\0' ? 1 : 0;
  PMPI_Bcast(&requested, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return requested != 0;
}

void write_statistics(const PollCounts& counts, std::int64_t starts) {
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const Row own{static_cast<double>(starts), static_cast<double>(counts.wakes),
                static_cast<double>(counts.polls), static_cast<double>(counts.while_inside),
                std::chrono::duration<double>(counts.cpu).count()};
  std::vector<Row> rows(rank == 0 ? static_cast<std::size_t>(size) : 0);
  constexpr int columns = std::tuple_size_v<Row>;
  PMPI_Gather(own.data(), columns, MPI_DOUBLE, rows.data(), columns, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  const std::string text = table(rows);
  const std::string file = std::getenv("STRETTO_STATISTICS");
  if (file == "1") {
    std::fputs(text.c_str(), stderr);
    return;
  }
  std::FILE* const output = std::fopen(file.c_str(), "w");
  if (output == nullptr || std::fputs(text.c_str(), output) < 0) {
    std::fprintf(stderr, "stretto: STRETTO_STATISTICS=%s: cannot be written\n", file.c_str());
  }
  if (output != nullptr) std::fclose(output);
}

}  // namespace stretto::progress
