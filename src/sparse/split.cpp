// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/split.hpp"

#include <mpi.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stretto/checked_size.hpp>
#include <stretto/error.hpp>
#include <string>
#include <utility>

#include "mpi/check.hpp"
#include "mpi/count.hpp"
#include "onesided/api/agreement.hpp"

namespace stretto::spmv {
namespace {

using mpi::check;
using stretto::detail::checked_product;
using stretto::detail::checked_sum;

constexpr int needs_tag = 1;
constexpr std::size_t largest_rows = std::numeric_limits<std::uint32_t>::max();

/// The error in a part of a matrix with `columns` columns; empty: none.
std::string error_of(const Part& part, std::size_t columns) {
  if (part.start.empty()) return "has no start; of no rows it is one 0";
  if (part.start.size() - 1 > largest_rows) return "has more than 2^32 - 1 rows";
  if (part.start.front() != 0 || part.start.back() != part.column.size()) {
    return "start does not go from 0 to the number of columns";
  }
  if (!std::is_sorted(part.start.begin(), part.start.end())) return "start decreases";
  if (part.value.size() != part.column.size()) return "has not as many values as columns";
  const auto largest = std::max_element(part.column.begin(), part.column.end());
  if (largest != part.column.end() && *largest >= columns) {
    return "column " + std::to_string(*largest) + " is beyond the " + std::to_string(columns) +
           " elements of x";
  }
  return {};
}

std::vector<std::size_t> block_starts(const mpi::Communicator& team, std::uint64_t mine) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(team.size()));
  check(MPI_Allgather(&mine, 1, MPI_UINT64_T, counts.data(), 1, MPI_UINT64_T, team.get()), "MPI_Allgather");
  std::vector<std::size_t> first{0};
  for (const std::uint64_t count : counts) first.push_back(checked_sum("x_count", first.back(), count));
  (void)checked_product("x_count", first.back(), sizeof(double));
  return first;
}

/// Splits the rows by the owner of their columns; columns become indices in the owner's block.
std::vector<SparseRows> by_owner(const Part& part, const std::vector<std::size_t>& first) {
  std::vector<SparseRows> owners(first.size() - 1);
  std::size_t owner = 0;  // owner of the previous column, and mostly of this one, too
  for (std::size_t row = 0; row + 1 < part.start.size(); ++row) {
    for (std::size_t k = part.start[row]; k < part.start[row + 1]; ++k) {
      const std::size_t column = part.column[k];
      if (column < first[owner] || column >= first[owner + 1]) {
        owner = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), column) -
                                         first.begin() - 1);
      }
      owners[owner].add(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column - first[owner]),
                        part.value[k]);
    }
  }
  return owners;
}

std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

/// Renumbers columns as indices into `elements`.
void renumber(SparseRows& rows, const std::vector<std::uint32_t>& elements) {
  for (std::uint32_t& column : rows.column) {
    const auto found = std::lower_bound(elements.begin(), elements.end(), column);
    column = static_cast<std::uint32_t>(found - elements.begin());
  }
}

/// Sends each owner the elements that this rank needs from it, and their offset among this rank's needs.
void exchange_needs(const mpi::Communicator& team, Split& split) {
  struct Note {
    std::uint64_t count;
    std::uint64_t place;
  };
  const auto ranks = static_cast<std::size_t>(team.size());
  std::vector<Note> sent(ranks);
  std::vector<Note> received(ranks);
  std::uint64_t place = 0;
  for (const PeerElements& need : split.receives) {
    sent[static_cast<std::size_t>(need.peer)] = {need.elements.size(), place};
    place += need.elements.size();
  }
  check(MPI_Alltoall(sent.data(), 2, MPI_UINT64_T, received.data(), 2, MPI_UINT64_T, team.get()),
        "MPI_Alltoall");
  for (int step = 1; step < team.size(); ++step) {
    const int reader = (team.rank() + team.size() - step) % team.size();
    const Note& note = received[static_cast<std::size_t>(reader)];
    if (note.count == 0) continue;
    split.sends.push_back({reader, std::vector<std::uint32_t>(note.count)});
    split.remote_offset.push_back(note.place);
  }
  std::vector<MPI_Request> requests(split.sends.size() + split.receives.size());
  auto request = requests.begin();
  for (PeerElements& one : split.sends) {
    check(MPI_Irecv(one.elements.data(), mpi::count_of(one.elements.size(), "elements of one rank"),
                    MPI_UINT32_T, one.peer, needs_tag, team.get(), &*request++),
          "MPI_Irecv");
  }
  for (const PeerElements& one : split.receives) {
    check(MPI_Isend(one.elements.data(), mpi::count_of(one.elements.size(), "elements of one rank"),
                    MPI_UINT32_T, one.peer, needs_tag, team.get(), &*request++),
          "MPI_Isend");
  }
  check(MPI_Waitall(mpi::count_of(requests.size(), "messages at once"), requests.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

}  // namespace

Split split(const mpi::Communicator& team, const Part& part, bool whole_blocks) {
  Split split{.first = block_starts(team, part.x_count)};
  onesided::agree(team.get(), [&] {
    const std::string wrong = error_of(part, split.first.back());
    if (!wrong.empty()) throw ArgumentError("part", wrong);
  });
  split.rows = part.start.size() - 1;
  std::vector<SparseRows> owners = by_owner(part, split.first);
  split.own = GroupedRows(std::exchange(owners[static_cast<std::size_t>(team.rank())], {}));
  for (int step = 1; step < team.size(); ++step) {
    const int owner = (team.rank() + step) % team.size();
    SparseRows rows = std::exchange(owners[static_cast<std::size_t>(owner)], {});
    if (rows.row.empty()) continue;
    split.receives.push_back({owner, distinct(rows.column)});
    if (!whole_blocks) renumber(rows, split.receives.back().elements);
    split.others.emplace_back(rows);
  }
  exchange_needs(team, split);
  return split;
}

}  // namespace stretto::spmv
