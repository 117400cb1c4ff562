// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/mg_exchange.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "plan/scope_timer.hpp"

namespace stretto::kernel::nas {
namespace {

int length(MgRange range) { return range.end - range.begin; }

std::size_t values_of(const MgBox& box, int nx) {
  return static_cast<std::size_t>(length(box.y)) * static_cast<std::size_t>(length(box.z)) *
         static_cast<std::size_t>(nx);
}

/// Calls `visit(row)` for the rows of a box, y first.
template <typename Visit>
void for_rows(const MgBox& box, MgField& field, Visit&& visit) {
  for (int z = box.z.begin; z < box.z.end; ++z) {
    for (int y = box.y.begin; y < box.y.end; ++y) visit(field.row(y, z));
  }
}

/// On an axis of `count` rows: the rows that move `step` ranks on.
MgRange leaving(int step, int count) { return {step > 0 ? count - 1 : 0, step < 0 ? 1 : count}; }
MgRange arriving(int step, int count) {
  if (step == 0) return {0, count};
  return step > 0 ? MgRange{-1, 0} : MgRange{count, count + 1};
}

}  // namespace

MgExchange::MgExchange(Runtime& runtime, const MgGrid& grid, int levels, const ExchangeMode& mode)
    : grid_(grid), overlap_(mode.overlap), levels_(static_cast<std::size_t>(levels)) {
  for (int level = 0; level < levels; ++level) {
    const MgExtent extent = grid_.extent(2 << level);
    if (!extent.split_z) {
      if (runtime.size() > 1) gathered_points_ = extent.nx;
      continue;
    }
    Level& planned = levels_[static_cast<std::size_t>(level)];
    plan_halos(planned, extent);
    plan_fold(planned, extent);
  }
  if (gathered_points_ > 0) plan_gathers();
  const exchange::ExchangeShape shape{.buffer_bytes = buffer_bytes_,
                                      .groups = runtime.size(),
                                      .blocking = mode.blocking,
                                      .implicit_credits = true};
  exchange_ = exchange::make_exchange(mode.transport, runtime, runtime.world(), shape, std::move(patterns_));
  exchange_->release_buffer();
}

MgExchange::Phase& MgExchange::add_phase(std::vector<Phase>& to, int nx) {
  to.push_back({.pattern = patterns_.size(), .nx = nx, .pieces = {}});
  patterns_.emplace_back();
  return to.back();
}

MgExchange::Piece& MgExchange::add_piece(Phase& phase, int dy, int dz, const MgBox& from, const MgBox& to) {
  Piece piece{.target = grid_.neighbour(dy, dz),
              .source = grid_.neighbour(-dy, -dz),
              .from = from,
              .to = to,
              .remote_offset = buffer_bytes_,
              .packed = {}};
  const std::size_t size_bytes = values_of(to, phase.nx) * sizeof(double);
  patterns_[phase.pattern].push_back(
      {piece.source, piece.source, {.offset = piece.remote_offset, .size_bytes = size_bytes}});
  buffer_bytes_ += size_bytes;
  if (length(from.z) != 1) piece.packed = AlignedArray<double>(values_of(from, phase.nx));
  phase.pieces.push_back(std::move(piece));
  return phase.pieces.back();
}

/// Each field has rounds of its own, so that no receive buffer is overwritten before it was read: in between
/// there is always a round in which the reader has replied.
void MgExchange::plan_halos(Level& level, const MgExtent& extent) {
  for (std::vector<Phase>& phases : level.halos) {
    Phase* phase = &add_phase(phases, extent.nx);
    const auto add = [&](int dy, int dz) {
      add_piece(*phase, dy, dz, {leaving(dy, extent.ny), leaving(dz, extent.nz)},
                {arriving(dy, extent.ny), arriving(dz, extent.nz)});
    };
    for (const int dz : {-1, 1}) add(0, dz);
    if (!extent.split_y) continue;
    if (overlap_) {
      for (const int dy : {-1, 1}) {
        for (const int dz : {0, -1, 1}) add(dy, dz);
      }
    } else {
      phase = &add_phase(phases, extent.nx);
      const MgRange all{-1, extent.nz + 1};
      for (const int dy : {-1, 1}) {
        add_piece(*phase, dy, 0, {leaving(dy, extent.ny), all}, {arriving(dy, extent.ny), all});
      }
    }
  }
}

/// Incoming data is added to the last rows of this rank.
void MgExchange::plan_fold(Level& level, const MgExtent& extent) {
  const int ny = extent.ny / 2;
  const int nz = extent.nz / 2;
  Phase& phase = add_phase(level.fold, extent.nx / 2);
  const auto add = [&](int dy, int dz) {
    const MgBox to{{dy < 0 ? ny - 1 : 0, ny}, {dz < 0 ? nz - 1 : 0, nz}};
    Piece& piece = add_piece(phase, dy, dz, to, to);
    piece.packed = AlignedArray<double>(values_of(to, phase.nx));
  };
  add(0, -1);
  if (!extent.split_y) return;
  add(-1, 0);
  add(-1, -1);
}

void MgExchange::plan_gathers() {
  const int n = gathered_points_;
  const auto part = [n](int place, int ranks) {
    place = (place + ranks) % ranks;
    return MgRange{n / ranks * place, n / ranks * (place + 1)};
  };
  for (std::vector<Phase>& phases : gathers_) {
    const MgRange own = part(grid_.y, grid_.ranks_y);
    Phase& along_z = add_phase(phases, n);
    for (int step = 1; step < grid_.ranks_z; ++step) {
      add_piece(along_z, 0, step, {own, part(grid_.z, grid_.ranks_z)},
                {own, part(grid_.z - step, grid_.ranks_z)});
    }
    if (grid_.ranks_y == 1) continue;
    Phase& along_y = add_phase(phases, n);
    for (int step = 1; step < grid_.ranks_y; ++step) {
      add_piece(along_y, step, 0, {own, {0, n}}, {part(grid_.y - step, grid_.ranks_y), {0, n}});
    }
  }
}

void MgExchange::start_halo(MgHalo halo, int level, MgField& field) {
  begin_halo(levels_[static_cast<std::size_t>(level)].halos[static_cast<std::size_t>(halo)].front(), field);
}

void MgExchange::finish_halo(MgHalo halo, int level, MgField& field) {
  std::vector<Phase>& phases = levels_[static_cast<std::size_t>(level)].halos[static_cast<std::size_t>(halo)];
  for (Phase& phase : phases) {
    if (&phase != &phases.front()) begin_halo(phase, field);
    end_halo(phase, field);
  }
}

void MgExchange::gather(MgField& field) {
  for (Phase& phase : gathers_[gathers_done_++ % 2]) {
    begin_halo(phase, field);
    end_halo(phase, field);
  }
}

void MgExchange::begin_halo(Phase& phase, MgField& field) {
  exchange_->open(phase.pattern);
  for (Piece& piece : phase.pieces) send_rows(phase, piece, field);
}

void MgExchange::end_halo(Phase& phase, MgField& field) {
  await(phase);
  const auto nx = static_cast<std::size_t>(phase.nx);
  for (const Piece& piece : phase.pieces) {
    const double* from = received(piece);
    for_rows(piece.to, field, [&](double* row) { std::copy_n(std::exchange(from, from + nx), nx, row); });
  }
  end();
}

void MgExchange::send_rows(const Phase& phase, Piece& piece, MgField& field) {
  if (piece.packed.size() == 0) {
    return send_piece(phase, piece, field.row(piece.from.y.begin, piece.from.z.begin));
  }
  const auto nx = static_cast<std::size_t>(phase.nx);
  double* to = piece.packed.data();
  for_rows(piece.from, field, [&](const double* row) { std::copy_n(row, nx, std::exchange(to, to + nx)); });
  send_piece(phase, piece, piece.packed.data());
}

void MgExchange::send_piece(const Phase& phase, const Piece& piece, const double* from) {
  const plan::ScopeTimer start(timers_, &Timers::init_s);
  exchange_->send(
      piece.target, reinterpret_cast<const std::byte*>(from),
      {.offset = piece.remote_offset, .size_bytes = values_of(piece.from, phase.nx) * sizeof(double)},
      grid_.rank());
}

void MgExchange::await(const Phase& phase) {
  const plan::ScopeTimer wait(timers_, &Timers::sync_s);
  for (const Piece& piece : phase.pieces) exchange_->wait_arrived(piece.source);
}

void MgExchange::end() {
  const plan::ScopeTimer wait(timers_, &Timers::sync_s);
  exchange_->wait_sent();
  exchange_->release_buffer();
}

const double* MgExchange::received(const Piece& piece) const {
  return reinterpret_cast<const double*>(exchange_->receive_buffer() + piece.remote_offset);
}

double* MgExchange::fold_row(int level, int y, int z) {
  Phase& phase = levels_[static_cast<std::size_t>(level)].fold.front();
  const std::size_t piece = z >= 0 ? 1 : y >= 0 ? 0 : 2;
  const int row = z >= 0 ? z : std::max(y, 0);
  return phase.pieces[piece].packed.data() +
         static_cast<std::size_t>(row) * static_cast<std::size_t>(phase.nx);
}

void MgExchange::start_fold(int level) {
  const Phase& phase = levels_[static_cast<std::size_t>(level)].fold.front();
  exchange_->open(phase.pattern);
  for (const Piece& piece : phase.pieces) send_piece(phase, piece, piece.packed.data());
}

void MgExchange::finish_fold(int level, MgField& coarse, int first_y, int first_z) {
  const Phase& phase = levels_[static_cast<std::size_t>(level)].fold.front();
  await(phase);
  for (const Piece& piece : phase.pieces) {
    const double* from = received(piece);
    const MgBox to{{first_y + piece.to.y.begin, first_y + piece.to.y.end},
                   {first_z + piece.to.z.begin, first_z + piece.to.z.end}};
    for_rows(to, coarse, [&](double* row) {
      for (int i = 0; i < phase.nx; ++i) row[i] += *from++;
    });
  }
  end();
}

}  // namespace stretto::kernel::nas
