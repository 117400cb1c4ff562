// SPDX-License-Identifier: BSD-3-Clause
// Gather and scatter on an adaptive mesh after the manner of SAGE, as a proxy: who produces and consumes what
// when is in docs/proxies.md. Heat spreads over squares of several sizes; where the mesh is fine changes as
// it runs.
#include <mpi.h>

#include <algorithm>
#include <map>
#include <vector>

#include "adaptive_mesh.hpp"
#include "arguments.hpp"
#include "timed.hpp"

namespace {

using stretto::proxies::Mesh;
using stretto::proxies::MeshMaker;

constexpr const char* usage =
    "options: --steps N --adapt N (steps between two meshes) --coarsest LEVEL --finest LEVEL (up to 12) "
    "--overlap";

struct Settings {
  int steps = 200;
  int adapt = 50;
  int coarsest = 4;
  int finest = 8;
  int overlap = 0;
};

/// With one other rank: which of our values it needs, and where its values go.
struct Partner {
  int rank = 0;
  std::vector<int> give;
  std::vector<int> take;
  std::vector<double> leaving;
  std::vector<double> arriving;
};

class Spreading {
 public:
  explicit Spreading(const Settings& settings) : settings_(settings) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    make_mesh(0);
    values_.assign(mesh_.cells.size(), 0);
    for (std::size_t cell = 0; cell < values_.size(); cell += 7) values_[cell] = 1;
  }

  void run() {
    for (int step = 0; step < settings_.steps; ++step) {
      if (step > 0 && step % settings_.adapt == 0) adapt(step);
      start();
      if (settings_.overlap != 0) {
        update(inner_);
        finish();
      } else {
        finish();
        update(inner_);
      }
      update(outer_);
      std::swap(values_, next_);
    }
  }

  /// Of this rank's cells, by their areas.
  [[nodiscard]] double own_sum() const {
    double sum = 0;
    for (int cell = begin(rank_); cell < begin(rank_ + 1); ++cell) {
      sum += values_[cell] * std::ldexp(1.0, -2 * mesh_.cells[cell].level);
    }
    return sum;
  }

 private:
  [[nodiscard]] int begin(int rank) const {
    return static_cast<int>(static_cast<long>(mesh_.cells.size()) * rank / ranks_);
  }

  [[nodiscard]] int owner(int cell) const {
    int rank = static_cast<int>(static_cast<long>(cell) * ranks_ / static_cast<long>(mesh_.cells.size()));
    while (cell < begin(rank)) --rank;
    while (cell >= begin(rank + 1)) ++rank;
    return rank;
  }

  void make_mesh(int step) {
    const double radius = 0.15 + 0.25 * step / std::max(settings_.steps, 1);
    mesh_ = MeshMaker(settings_.coarsest, settings_.finest, radius).make();
    make_lists();
  }

  /// What to gather for whom, and which cells need nothing from anybody.
  void make_lists() {
    inner_.clear();
    outer_.clear();
    std::map<int, Partner> partners;
    for (int cell = begin(rank_); cell < begin(rank_ + 1); ++cell) {
      bool is_inner = true;
      for (const int other : mesh_.neighbours[cell]) {
        if (owner(other) == rank_) continue;
        is_inner = false;
        Partner& partner = partners[owner(other)];
        partner.take.push_back(other);
        if (partner.give.empty() || partner.give.back() != cell) partner.give.push_back(cell);
      }
      (is_inner ? inner_ : outer_).push_back(cell);
    }
    partners_.clear();
    for (auto& [rank, partner] : partners) {
      std::sort(partner.take.begin(), partner.take.end());
      partner.take.erase(std::unique(partner.take.begin(), partner.take.end()), partner.take.end());
      partner.rank = rank;
      partner.leaving.resize(partner.give.size());
      partner.arriving.resize(partner.take.size());
      partners_.push_back(std::move(partner));
    }
    next_.assign(mesh_.cells.size(), 0);
  }

  /// Gathers what others need and lets it go.
  void start() {
    requests_.clear();
    for (Partner& one : partners_) {
      MPI_Irecv(one.arriving.data(), static_cast<int>(one.arriving.size()), MPI_DOUBLE, one.rank, 0,
                MPI_COMM_WORLD, &requests_.emplace_back());
    }
    for (Partner& one : partners_) {
      for (std::size_t i = 0; i < one.give.size(); ++i) one.leaving[i] = values_[one.give[i]];
      MPI_Isend(one.leaving.data(), static_cast<int>(one.leaving.size()), MPI_DOUBLE, one.rank, 0,
                MPI_COMM_WORLD, &requests_.emplace_back());
    }
  }

  /// Waits, and scatters what came.
  void finish() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (const Partner& one : partners_) {
      for (std::size_t i = 0; i < one.take.size(); ++i) values_[one.take[i]] = one.arriving[i];
    }
  }

  void update(const std::vector<int>& cells) {
    for (const int cell : cells) {
      double flow = 0;
      for (const int other : mesh_.neighbours[cell]) flow += values_[other] - values_[cell];
      next_[cell] = values_[cell] + 0.05 * flow;
    }
  }

  /// The front has moved: a new mesh, whose cells begin with the value of the old cell at their middle. All
  /// values go everywhere for it, which is rare.
  void adapt(int step) {
    const Mesh before = mesh_;
    std::vector<int> counts(ranks_);
    std::vector<int> places(ranks_);
    for (int rank = 0; rank < ranks_; ++rank) {
      places[rank] = begin(rank);
      counts[rank] = begin(rank + 1) - begin(rank);
    }
    std::vector<double> all(values_.size());
    MPI_Allgatherv(values_.data() + places[rank_], counts[rank_], MPI_DOUBLE, all.data(), counts.data(),
                   places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    make_mesh(step);
    values_.resize(mesh_.cells.size());
    // Both meshes follow one curve: the old cells' ends along it are found in one walk.
    std::size_t old = 0;
    double old_end = area(before, 0);
    double place = 0;
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
      const double size = area(mesh_, cell);
      while (old + 1 < all.size() && place + 0.5 * size > old_end) old_end += area(before, ++old);
      values_[cell] = all[old];
      place += size;
    }
  }

  static double area(const Mesh& mesh, std::size_t cell) {
    return std::ldexp(1.0, -2 * mesh.cells[cell].level);
  }

  Settings settings_;
  int rank_ = 0;
  int ranks_ = 1;
  Mesh mesh_;
  std::vector<double> values_;  // of all cells; up to date where this rank computes or takes them
  std::vector<double> next_;
  std::vector<int> inner_;
  std::vector<int> outer_;
  std::vector<Partner> partners_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Settings settings;
  stretto::proxies::read_arguments(argc, argv, usage,
                                   {{"--steps", &settings.steps, 1},
                                    {"--adapt", &settings.adapt, 1},
                                    {"--coarsest", &settings.coarsest, 1},
                                    {"--finest", &settings.finest, 1},
                                    {"--overlap", &settings.overlap, -1}});
  if (settings.finest > 12 || settings.coarsest > settings.finest) {
    stretto::proxies::leave(argv[0], usage, 2);
  }
  Spreading spreading(settings);
  stretto::proxies::run_timed("adaptive", spreading, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
