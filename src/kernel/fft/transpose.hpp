// SPDX-License-Identifier: BSD-3-Clause
// One transpose with the transforms on both of its sides: from planes of b x c, of which each rank has some
// of a, to lines along a, of which each rank has those of its part of b; and the way back. The pieces of a
// plane leave as they are ready, and lines are transformed as they have arrived. Which dimension is which is
// the plan's business.
#pragma once

#include <functional>
#include <stretto/fft.hpp>
#include <utility>
#include <vector>

#include "exchange/exchange.hpp"
#include "kernel/block_distribution.hpp"
#include "kernel/fft/lines.hpp"

namespace stretto::kernel {

/// The sizes of a transpose and in how many pieces it goes. Each rank of the team calls the same.
struct TransposeShape {
  BlockDistribution a;  ///< distributed before
  BlockDistribution b;  ///< distributed after
  std::size_t c = 1;
  bool packed = false;
  std::size_t piece_rows = 1;  ///< rows of b in a message; of no meaning when packed

  /// Messages of a plane (or of all, when packed) to the rank `target`.
  [[nodiscard]] int pieces(int target) const;
  [[nodiscard]] int largest_pieces() const;
  /// Rows of the target's part of b that a message of this group has: the first and how many.
  [[nodiscard]] std::pair<std::size_t, std::size_t> piece(int target, int group) const;
  /// Elements that a rank has before and after.
  [[nodiscard]] std::size_t before(int rank) const { return a.count(rank) * b.total * c; }
  [[nodiscard]] std::size_t after(int rank) const { return b.count(rank) * a.total * c; }

  /// What arrives at `rank` on the way over, and on the way back.
  [[nodiscard]] exchange::ReceivePattern over(int rank) const;
  [[nodiscard]] exchange::ReceivePattern back(int rank) const;
};

/// Called with a plane in memory that is the transpose's: it is gone on return, or may be written.
using VisitPlane = std::function<void(std::size_t plane, Complex* data)>;
/// Where a plane [b][c] lies, that is read before the next call.
using FindPlane = std::function<const Complex*(std::size_t plane)>;

/// What is done with a plane before its pieces leave. Those that are null are left out.
struct Produce {
  const Complex* in = nullptr;      ///< [a of this rank][b][c]
  const FindPlane* find = nullptr;  ///< instead of it
  const double* real_in = nullptr;  ///< instead of it: rows of `real_length`
  std::size_t real_length = 0;
  const RealRows* real_rows = nullptr;  ///< from real_in, first
  Columns* columns = nullptr;           ///< along b
  const Rows* rows = nullptr;           ///< along c, last
  const fft::BeforePlane* before = nullptr;
  bool in_stage = false;  ///< what `find` finds lies where it leaves from
};

/// What is done with lines along a, and where they go.
struct Consume {
  enum class To {
    transposed,  ///< out: [b of this rank][a][c]
    visited,     ///< `visit` gets each [a][c] of b of this rank, in memory of `out`, which has one; of a
                 ///< single one that may be the receive buffer
    real,        ///< real_out: [b of this rank][a][real_length], by real_rows along c
    back         ///< the way back, to [a of this rank][b][c]
  };
  Columns* columns = nullptr;  ///< along a
  To to = To::transposed;
  Complex* out = nullptr;
  double* real_out = nullptr;
  std::size_t real_length = 0;
  const RealRows* real_rows = nullptr;
  const VisitPlane* visit = nullptr;
  bool frees_stage =
      false;  ///< the stage is written at the same time: all that leaves from it must have left
};

/// The memory and the exchanges that the transposes of a plan share; they are the plan's.
struct TransposeExchanges {
  exchange::Exchange* over = nullptr;
  std::size_t over_pattern = 0;
  exchange::Exchange* back = nullptr;  ///< null where nothing ever goes back
  Complex* stage = nullptr;            ///< planes on their way out
  bool keeps = false;  ///< between rounds the receive buffer of the way over is this rank's, to use
};

/// What lies between starting, waiting and telling counts as work where the caller has a timer for it.
class Transpose {
 public:
  Transpose(const TransposeShape& shape, const TransposeExchanges& exchanges, int rank, fft::Timers& timers);

  /// Collective. What went back is complete in back->receive_buffer() on return: see unpack().
  void run(const Produce& produce, const Consume& consume);
  // Its three parts, for planes that are made one by one: open, plane 0 to the last, finish.
  void open();
  void add_plane(const Produce& work, std::size_t plane);
  void finish(const Consume& consume);
  /// What has left so far need not stay.
  void all_sent();

  /// The next rounds arrive in this one of the places that a receive buffer has, and leave from `stage`.
  void lie(std::size_t place, Complex* stage);

  /// The way over alone: what has arrived lies in receive_buffer(), [a][b of this rank][c].
  void bring_over(const Produce& produce);
  /// The way back alone, of what lies as it arrives. It may lie in the receive buffer of a transpose that
  /// keeps it.
  void bring_back(const Complex* in);
  [[nodiscard]] Complex* receive_buffer() const {
    return reinterpret_cast<Complex*>(exchanges_.over->receive_buffer()) + place_ * shape_.after(rank_);
  }
  /// What came back to this rank: c elements of a row of a plane; a plane, [b][c]; all, [a of this
  /// rank][b][c].
  [[nodiscard]] Complex* returned(std::size_t plane, std::size_t row) const;
  void unpack_plane(std::size_t plane, Complex* out) const;
  void unpack(Complex* out) const;

 private:
  // transpose_produce.cpp
  void aim_rows(std::size_t plane, bool in_place);
  void transform_columns(const Produce& work, std::size_t plane);
  void send_pieces(const Produce& work, std::size_t plane);
  void send_packed();
  /// Where rows of a target lie in its receive buffer, in bytes.
  [[nodiscard]] std::size_t offset_at(int target, std::size_t row) const {
    return (place_ * shape_.after(target) + row * shape_.c) * sizeof(Complex);
  }
  // transpose_consume.cpp
  void done();
  void consume(const Consume& work);
  void consume_row(const Consume& work, std::size_t row);
  void empty_tile(const Consume& work, std::size_t row, std::size_t column, std::size_t width);
  void tile_back(Columns& tile, std::size_t row, std::size_t column, std::size_t width);
  void open_back();
  void send_back(const Complex* from, int group, bool stored);
  void close_back();
  [[nodiscard]] exchange::StridedBlock back_block(int target, std::size_t first_row, std::size_t rows) const;

  [[nodiscard]] int ranks() const { return shape_.a.ranks; }
  [[nodiscard]] Complex* back_buffer() const {
    return reinterpret_cast<Complex*>(exchanges_.back->receive_buffer());
  }

  TransposeShape shape_;
  TransposeExchanges exchanges_;
  int rank_;
  fft::Timers& timers_;
  std::size_t place_ = 0;       // in the receive buffer
  bool copies_ = true;          // every send is a copy: one plane of the stage serves all
  std::vector<Complex*> rows_;  // of the current plane, by b
};

}  // namespace stretto::kernel
