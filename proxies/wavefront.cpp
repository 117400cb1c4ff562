// SPDX-License-Identifier: BSD-3-Clause
// A wavefront sweep after the manner of Sweep3D, as a proxy: who produces and consumes what when is in
// docs/proxies.md. Two opposite directions are swept at once over a grid of ranks, so that no rank runs ahead
// of its neighbours. Not a transport code: its numbers mean nothing but that all variants have the same.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "arguments.hpp"
#include "timed.hpp"

namespace {

using stretto::proxies::leave;

constexpr const char* usage =
    "options: --stages N --lines N --cells N --angles N --columns N (of ranks) --overlap --pieces N";

struct Settings {
  int stages = 1000;
  int lines = 20;
  int cells = 20;
  int angles = 6;
  int columns = 0;  // 0: as square as can be
  int overlap = 0;
  int pieces = 4;  // into how many messages `--overlap` cuts phiib
};

/// What one direction brings over one pair of faces: `in` from the neighbour upstream, `out` to that
/// downstream.
struct Face {
  std::vector<double> in;
  std::vector<double> out;
  int from = MPI_PROC_NULL;
  int to = MPI_PROC_NULL;
};

/// One of the two directions. `phiib` crosses the faces between columns, `phijb` those between rows.
struct Direction {
  Face phiib;  // lines x angles
  Face phijb;  // cells x angles
};

class Sweep {
 public:
  Sweep(const Settings& settings, MPI_Comm grid) : settings_(settings), grid_(grid) {
    std::array<int, 2> west_east{};
    std::array<int, 2> north_south{};
    MPI_Cart_shift(grid, 1, 1, &west_east[0], &west_east[1]);
    MPI_Cart_shift(grid, 0, 1, &north_south[0], &north_south[1]);
    for (int d = 0; d < 2; ++d) {
      connect(directions_[d].phiib, settings.lines, west_east[d], west_east[1 - d]);
      connect(directions_[d].phijb, settings.cells, north_south[d], north_south[1 - d]);
    }
    flow_.resize(static_cast<std::size_t>(settings.angles));
  }

  void run() {
    for (int stage = 0; stage < settings_.stages; ++stage) {
      if (settings_.overlap != 0) {
        overlapped_stage();
      } else {
        plain_stage();
      }
    }
  }

  [[nodiscard]] double own_sum() const {
    double sum = 0;
    for (const Direction& one : directions_) {
      for (const double value : one.phiib.out) sum += value;
      for (const double value : one.phijb.out) sum += value;
    }
    return sum;
  }

 private:
  void connect(Face& face, int rows, int from, int to) const {
    face.in.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(settings_.angles), 0);
    face.out = face.in;
    face.from = from;
    face.to = to;
  }

  /// Both messages block: nothing is computed between starting and waiting.
  void plain_stage() {
    for (int line = 0; line < settings_.lines; ++line) out_by_columns(line);
    exchange(&Direction::phiib);
    begin_phijb();
    for (int line = 0; line < settings_.lines; ++line) out_by_rows(line);
    exchange(&Direction::phijb);
  }

  /// phiib leaves piece by piece as its lines are done, and is awaited piece by piece where it is needed.
  void overlapped_stage() {
    const int pieces = std::min(settings_.pieces, settings_.lines);
    std::vector<MPI_Request> arriving;
    std::vector<MPI_Request> leaving;
    for (int piece = 0; piece < pieces; ++piece) post(piece, pieces, arriving);
    for (int piece = 0; piece < pieces; ++piece) {
      for (int line = begin(piece, pieces); line < begin(piece + 1, pieces); ++line) out_by_columns(line);
      send(piece, pieces, leaving);
    }
    begin_phijb();
    for (int piece = 0; piece < pieces; ++piece) {
      MPI_Waitall(2, &arriving[2 * static_cast<std::size_t>(piece)], MPI_STATUSES_IGNORE);
      for (int line = begin(piece, pieces); line < begin(piece + 1, pieces); ++line) out_by_rows(line);
    }
    MPI_Waitall(static_cast<int>(leaving.size()), leaving.data(), MPI_STATUSES_IGNORE);
    exchange(&Direction::phijb);
  }

  [[nodiscard]] int begin(int piece, int pieces) const {
    return static_cast<int>(static_cast<long>(settings_.lines) * piece / pieces);
  }

  void post(int piece, int pieces, std::vector<MPI_Request>& requests) {
    const int first = begin(piece, pieces) * settings_.angles;
    const int count = begin(piece + 1, pieces) * settings_.angles - first;
    for (int d = 0; d < 2; ++d) {
      Face& face = directions_[d].phiib;
      MPI_Irecv(face.in.data() + first, count, MPI_DOUBLE, face.from, d, grid_, &requests.emplace_back());
    }
  }

  void send(int piece, int pieces, std::vector<MPI_Request>& requests) {
    const int first = begin(piece, pieces) * settings_.angles;
    const int count = begin(piece + 1, pieces) * settings_.angles - first;
    for (int d = 0; d < 2; ++d) {
      const Face& face = directions_[d].phiib;
      MPI_Isend(face.out.data() + first, count, MPI_DOUBLE, face.to, d, grid_, &requests.emplace_back());
    }
  }

  void exchange(Face Direction::*which) {
    std::array<MPI_Request, 4> requests{};
    for (int d = 0; d < 2; ++d) {
      Face& face = directions_[d].*which;
      const int count = static_cast<int>(face.in.size());
      MPI_Irecv(face.in.data(), count, MPI_DOUBLE, face.from, d, grid_, &requests[2 * d]);
      MPI_Isend(face.out.data(), count, MPI_DOUBLE, face.to, d, grid_, &requests[2 * d + 1]);
    }
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  }

  /// First half of a stage, one line: what came over the rows' faces leaves by the columns'. Every line reads
  /// all of phijb, from the first on; line by line phiib gets done.
  void out_by_columns(int line) {
    for (Direction& one : directions_) {
      std::fill(flow_.begin(), flow_.end(), source);
      cross(one.phijb.in, nullptr);
      std::copy(flow_.begin(), flow_.end(), at(one.phiib.out, line));
    }
  }

  /// Second half, one line: what came over the columns' faces leaves by the rows'. Line by line phiib is
  /// needed; every line updates all of phijb, which is done with the last one.
  void out_by_rows(int line) {
    for (Direction& one : directions_) {
      const auto first = at(one.phiib.in, line);
      std::copy(first, first + settings_.angles, flow_.begin());
      cross(one.phijb.out, one.phijb.out.data());
    }
  }

  void begin_phijb() {
    for (Direction& one : directions_) std::fill(one.phijb.out.begin(), one.phijb.out.end(), source);
  }

  /// The flow of every angle through the cells of a line, mixed with what stands in each; `update`: which
  /// takes it.
  void cross(const std::vector<double>& cells, double* update) {
    const auto angles = static_cast<std::size_t>(settings_.angles);
    for (std::size_t cell = 0; cell < static_cast<std::size_t>(settings_.cells); ++cell) {
      for (std::size_t angle = 0; angle < angles; ++angle) {
        const double mixed = 0.6 * flow_[angle] + 0.3 * cells[cell * angles + angle] + 0.1 * source;
        flow_[angle] = mixed;
        if (update != nullptr) update[cell * angles + angle] = mixed;
      }
    }
  }

  [[nodiscard]] std::vector<double>::iterator at(std::vector<double>& face, int line) const {
    return face.begin() + static_cast<std::ptrdiff_t>(line) * settings_.angles;
  }

  static constexpr double source = 1;

  Settings settings_;
  MPI_Comm grid_;
  std::array<Direction, 2> directions_;  // to the south-east and to the north-west
  std::vector<double> flow_;
};

MPI_Comm make_grid(const Settings& settings, const char* program) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::array<int, 2> extents = {0, settings.columns};
  if (settings.columns > 0 && ranks % settings.columns != 0) {
    leave(program, "--columns: must divide the number of ranks", 2);
  }
  MPI_Dims_create(ranks, 2, extents.data());
  const std::array<int, 2> periodic = {0, 0};
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 2, extents.data(), periodic.data(), 0, &grid);
  return grid;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Settings settings;
  stretto::proxies::read_arguments(argc, argv, usage,
                                   {{"--stages", &settings.stages, 1},
                                    {"--lines", &settings.lines, 1},
                                    {"--cells", &settings.cells, 1},
                                    {"--angles", &settings.angles, 1},
                                    {"--columns", &settings.columns, 1},
                                    {"--overlap", &settings.overlap, -1},
                                    {"--pieces", &settings.pieces, 1}});
  MPI_Comm grid = make_grid(settings, argv[0]);
  Sweep sweep(settings, grid);
  stretto::proxies::run_timed("wavefront", sweep, grid);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
