// SPDX-License-Identifier: BSD-3-Clause
// The communication of NAS MG: ghost rows (halo), partial sums for coarse rows of other ranks (fold), and
// replication of a level on every rank (gather). It does not depend on the operators.
#pragma once

#include <cstdint>
#include <memory>
#include <stretto/plan_timers.hpp>
#include <stretto/runtime.hpp>
#include <vector>

#include "exchange/exchange.hpp"
#include "kernels/nas/exchange_mode.hpp"
#include "kernels/nas/mg_field.hpp"
#include "kernels/nas/mg_messages.hpp"

namespace stretto::kernel::nas {

enum class MgHalo : std::size_t { residual, solution };

class MgExchange {
 public:
  /// Prepares levels of 2, 4, ... 2^levels points along each axis. Collective over the runtime.
  MgExchange(Runtime& runtime, const MgGrid& grid, int levels, const ExchangeMode& mode);

  /// Starts the exchange of ghost rows of a field on a distributed level. With overlap, all rows are sent at
  /// once, including those across edges. Otherwise rows go along z first, then along y together with those
  /// that arrived along z.
  void start_halo(MgHalo halo, int level, MgField& field);
  void finish_halo(MgHalo halo, int level, MgField& field);

  /// The place of this rank's share of a coarse row that belongs to the rank below: y or z is -1. `level` is
  /// the fine level.
  [[nodiscard]] double* fold_row(int level, int y, int z);
  void start_fold(int level);
  /// Adds the partial sums of other ranks to this rank's rows of the coarse field, which begin at `first_y`,
  /// `first_z`.
  void finish_fold(int level, MgField& coarse, int first_y, int first_z);

  /// Gathers a level of which each rank has one part: afterwards every rank has the whole level.
  void gather(MgField& field);

  [[nodiscard]] PlanTimers& timers() { return timers_; }
  [[nodiscard]] std::uint64_t messages() const { return exchange_->messages(); }

 private:
  /// Rows that are sent to one rank while rows from another one arrive.
  struct Piece {
    int target;
    int source;
    MgBox from;
    MgBox to;
    std::size_t remote_offset;    // offset in bytes
    AlignedArray<double> packed;  // buffer for rows that are not contiguous, or that are produced here
  };
  /// A round of the exchange.
  struct Phase {
    std::size_t pattern;
    int nx;
    std::vector<Piece> pieces;
  };
  struct Level {
    std::vector<Phase> halos[2];
    std::vector<Phase> fold;  // one
  };

  void plan_level(Level& level, const MgExtent& extent);
  void plan_fold(Level& level, const MgExtent& extent);
  void add_phase(std::vector<Phase>& to, int nx, const MgRound& round);
  void add_piece(Phase& phase, const MgMessage& message);
  void send_piece(const Phase& phase, const Piece& piece, const double* from);
  void send_rows(const Phase& phase, Piece& piece, MgField& field);
  void await(const Phase& phase);
  void end();
  void begin_halo(Phase& phase, MgField& field);
  void end_halo(Phase& phase, MgField& field);
  [[nodiscard]] const double* received(const Piece& piece) const;

  MgGrid grid_;
  bool overlap_;
  int gathered_points_ = 0;  // points along each axis of the gathered level
  std::vector<Level> levels_;
  std::vector<Phase> gathers_[2];  // along z, then y; two of them, alternating
  std::size_t gathers_done_ = 0;
  std::vector<exchange::ReceivePattern> patterns_;
  std::size_t buffer_bytes_ = 0;
  std::unique_ptr<exchange::Exchange> exchange_;
  PlanTimers timers_;
};

}  // namespace stretto::kernel::nas
