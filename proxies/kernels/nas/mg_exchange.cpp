// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/mg_exchange.hpp"

#include <algorithm>
#include <utility>

#include "plan/scope_timer.hpp"

namespace stretto::kernel::nas {
namespace {

/// Calls `visit(row)` for the rows of a box, y first.
template <typename Visit>
void for_rows(const MgBox& box, MgField& field, Visit&& visit) {
  for (int z = box.z.begin; z < box.z.end; ++z) {
    for (int y = box.y.begin; y < box.y.end; ++y) visit(field.row(y, z));
  }
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
    plan_level(levels_[static_cast<std::size_t>(level)], extent);
  }
  if (gathered_points_ > 0) {
    for (std::vector<Phase>& phases : gathers_) {
      for (const MgRound& round : gather_rounds(grid_, gathered_points_)) {
        add_phase(phases, gathered_points_, round);
      }
    }
  }
  const exchange::ExchangeShape shape{.buffer_bytes = buffer_bytes_,
                                      .groups = runtime.size(),
                                      .blocking = mode.blocking,
                                      .implicit_credits = true};
  exchange_ = exchange::make_exchange(mode.transport, runtime, runtime.world(), shape, std::move(patterns_));
  exchange_->release_buffer();
}

void MgExchange::add_phase(std::vector<Phase>& to, int nx, const MgRound& round) {
  to.push_back({.pattern = patterns_.size(), .nx = nx, .pieces = {}});
  patterns_.emplace_back();
  for (const MgMessage& message : round) add_piece(to.back(), message);
}

void MgExchange::add_piece(Phase& phase, const MgMessage& message) {
  Piece piece{.target = grid_.neighbour(message.dy, message.dz),
              .source = grid_.neighbour(-message.dy, -message.dz),
              .from = message.from,
              .to = message.to,
              .remote_offset = buffer_bytes_,
              .packed = {}};
  const std::size_t size_bytes = message.to.values(phase.nx) * sizeof(double);
  patterns_[phase.pattern].push_back(
      {piece.source, piece.source, {.offset = piece.remote_offset, .size_bytes = size_bytes}});
  buffer_bytes_ += size_bytes;
  const bool one_plane = message.from.z.end - message.from.z.begin == 1;
  if (!one_plane) piece.packed = AlignedArray<double>(message.from.values(phase.nx));
  phase.pieces.push_back(std::move(piece));
}

/// Each field has rounds of its own, so that no receive buffer is overwritten before it was read: in between
/// there is always a round in which the reader has replied.
void MgExchange::plan_level(Level& level, const MgExtent& extent) {
  for (std::vector<Phase>& phases : level.halos) {
    for (const MgRound& round : halo_rounds(extent, overlap_)) add_phase(phases, extent.nx, round);
  }
  plan_fold(level, extent);
}

/// Partial sums are produced in the packed rows. Incoming ones are added to the last rows of this rank.
void MgExchange::plan_fold(Level& level, const MgExtent& extent) {
  add_phase(level.fold, extent.nx / 2, fold_round(extent));
  Phase& phase = level.fold.front();
  for (Piece& piece : phase.pieces) piece.packed = AlignedArray<double>(piece.from.values(phase.nx));
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
  const plan::ScopeTimer start(timers_, &PlanTimers::init_s);
  exchange_->send(piece.target, reinterpret_cast<const std::byte*>(from),
                  {.offset = piece.remote_offset, .size_bytes = piece.from.values(phase.nx) * sizeof(double)},
                  grid_.rank());
}

void MgExchange::await(const Phase& phase) {
  const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
  for (const Piece& piece : phase.pieces) exchange_->wait_arrived(piece.source);
}

void MgExchange::end() {
  const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
  exchange_->wait_sent();
  exchange_->release_buffer();
}

const double* MgExchange::received(const Piece& piece) const {
  return reinterpret_cast<const double*>(exchange_->receive_buffer() + piece.remote_offset);
}

double* MgExchange::fold_row(int level, int y, int z) {
  Phase& phase = levels_[static_cast<std::size_t>(level)].fold.front();
  enum : std::size_t { along_z, along_y, across_edge };  // the order of fold_round
  const std::size_t piece = z >= 0 ? along_y : y >= 0 ? along_z : across_edge;
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
