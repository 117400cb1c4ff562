// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/mg_fill.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/nas/random.hpp"
#include "mpi/check.hpp"

namespace stretto::kernel::nas {
namespace {

struct Candidate {
  double value = 0;         ///< the random number; negated for the search of the smallest
  std::uint64_t place = 0;  ///< index in the order in which the numbers are drawn: x fastest, then y
};

/// The ten largest of the candidates, in descending order.
class TenLargest {
 public:
  void offer(const Candidate& one) {
    if (one.value <= best_.back().value) return;
    const auto place = std::find_if(best_.begin(), best_.end(),
                                    [&](const Candidate& other) { return one.value > other.value; });
    std::move_backward(place, best_.end() - 1, best_.end());
    *place = one;
  }
  [[nodiscard]] const std::array<Candidate, 10>& best() const { return best_; }

 private:
  std::array<Candidate, 10> best_ = [] {
    std::array<Candidate, 10> none;
    none.fill({.value = -2});  // below every random number, also when negated
    return none;
  }();
};

struct Extremes {
  TenLargest largest;
  TenLargest smallest;
};

/// Where this rank's part begins.
std::array<int, 2> origin(const MgField& field, const MgGrid& grid) {
  return {grid.y * field.extent().ny, grid.z * field.extent().nz};
}

Extremes own_extremes(const MgField& field, const MgGrid& grid) {
  const MgExtent& extent = field.extent();
  const auto nx = static_cast<std::uint64_t>(extent.nx);
  const auto [first_y, first_z] = origin(field, grid);
  Extremes found;
  for (int z = first_z; z < first_z + extent.nz; ++z) {
    Random random(random_seed);
    std::uint64_t place = nx * (nx * static_cast<std::uint64_t>(z) + static_cast<std::uint64_t>(first_y));
    random.skip(place);
    for (const std::uint64_t end = place + nx * static_cast<std::uint64_t>(extent.ny); place < end; ++place) {
      const double value = random.next();
      found.largest.offer({value, place});
      found.smallest.offer({-value, place});
    }
  }
  return found;
}

/// The ten largest over all ranks.
TenLargest ten_of_all(const TenLargest& mine, MPI_Comm communicator) {
  int ranks = 0;
  mpi::check(MPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::vector<Candidate> all(mine.best().size() * static_cast<std::size_t>(ranks));
  constexpr int bytes = sizeof mine.best();
  mpi::check(MPI_Allgather(mine.best().data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, communicator),
             "MPI_Allgather");
  TenLargest ten;
  for (const Candidate& one : all) ten.offer(one);
  return ten;
}

void charge(MgField& field, const MgGrid& grid, const TenLargest& places, double value) {
  const auto nx = static_cast<std::uint64_t>(field.extent().nx);
  const auto [first_y, first_z] = origin(field, grid);
  for (const Candidate& one : places.best()) {
    const int y = static_cast<int>(one.place / nx % nx) - first_y;
    const int z = static_cast<int>(one.place / (nx * nx)) - first_z;
    const bool own = y >= 0 && y < field.extent().ny && z >= 0 && z < field.extent().nz;
    if (own) field.row(y, z)[one.place % nx] = value;
  }
}

}  // namespace

void fill_right_side(MgField& field, const MgGrid& grid, MPI_Comm communicator) {
  const Extremes own = own_extremes(field, grid);
  charge(field, grid, ten_of_all(own.smallest, communicator), -1);
  charge(field, grid, ten_of_all(own.largest, communicator), 1);
}

}  // namespace stretto::kernel::nas
