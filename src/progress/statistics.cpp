// SPDX-License-Identifier: BSD-3-Clause
#include "progress/statistics.hpp"

#include <mpi.h>

#include <array>
#include <cstdio>
#include <vector>

#include "mpi/plain_numbers.hpp"
#include "mpi/statistics_file.hpp"
#include "mpi/world.hpp"
#include "progress/activity.hpp"
#include "progress/moved_bytes.hpp"

namespace stretto::progress {
namespace {

constexpr std::size_t columns = 8;
using Row = std::array<double, columns>;

constexpr const char* head =
    "# libstretto_progress: a row per rank\n"
    "# rank   requests  MB started    MB moved    wakes    polls    empty   inside   CPU s\n";

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string row_text(std::size_t rank, const Row& row) {
  std::array<char, 200> line{};
  std::snprintf(line.data(), line.size(), "%6zu %10.0f %11.3f %11.3f %8.0f %8.0f %8.0f %8.0f %7.3f\n", rank,
                row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]);
  return line.data();
}

/// What the trials of the first seconds found, the same on all ranks.
std::string trial_text(const PollCounts& counts) {
  if (!counts.saved) return "# time saved: not known, because no trial saw enough iterations\n";
  const Saved& saved = *counts.saved;
  const double on_s = seconds(counts.on);
  std::array<char, 200> line{};
  std::snprintf(line.data(), line.size(),
                "# time saved, estimated from %s: %.1f %% (%.1f to %.1f), %.3f s (%.3f to %.3f)\n",
                "pauses of the thread", 100 * saved.value, 100 * saved.low, 100 * saved.high,
                on_s * saved.value, on_s * saved.low, on_s * saved.high);
  std::string text = line.data();
  if (counts.verdict != Verdict::gains_nothing) return text;
  std::snprintf(line.data(), line.size(), "# switched off after %.1f s, because it gained nothing\n", on_s);
  return text + line.data();
}

}  // namespace

void write_statistics(const std::string& where, const PollCounts& counts) {
  const int rank = mpi::world_rank();
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const Row own{static_cast<double>(activity.starts()),
                1e-6 * static_cast<double>(moved_bytes().started_bytes()),
                1e-6 * static_cast<double>(moved_bytes().moved_bytes()),
                static_cast<double>(counts.wakes),
                static_cast<double>(counts.polls),
                static_cast<double>(counts.empty_polls),
                static_cast<double>(counts.while_inside),
                seconds(counts.cpu)};
  std::vector<Row> rows(rank == 0 ? static_cast<std::size_t>(size) : 0);
  PMPI_Gather(own.data(), columns, MPI_DOUBLE, rows.data(), columns, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  const mpi::PlainNumbers plain;
  std::string text = head;
  for (std::size_t i = 0; i < rows.size(); ++i) text += row_text(i, rows[i]);
  mpi::write_statistics(where, text + trial_text(counts));
}

}  // namespace stretto::progress
