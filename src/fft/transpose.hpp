// SPDX-License-Identifier: BSD-3-Clause
// One distributed transpose with the transforms on both of its sides. Before it each rank has planes [b][c]
// for its part of a; afterwards it has lines along a for its part of b. The backward direction is the
// reverse. Pieces of a plane are sent as soon as they are ready, and lines are transformed as soon as they
// have arrived. The plan maps a, b and c to its dimensions.
#pragma once

#include <functional>
#include <stretto/fft.hpp>
#include <vector>

#include "exchange/exchange.hpp"
#include "fft/lines.hpp"
#include "fft/transpose_shape.hpp"

namespace stretto::fft {

/// Called with a plane in memory of the transpose: the plane may be overwritten, and is invalid on return.
using VisitPlane = std::function<void(std::size_t plane, Complex* data)>;
/// Returns the place of a plane [b][c], which is read before the next call.
using FindPlane = std::function<const Complex*(std::size_t plane)>;

/// The steps on a plane before its pieces leave. Null members are skipped.
struct Produce {
  const Complex* in = nullptr;      ///< [a of this rank][b][c]
  const FindPlane* find = nullptr;  ///< instead of it
  const double* real_in = nullptr;  ///< instead of it: rows of `real_length`
  std::size_t real_length = 0;
  const RealRows* real_rows = nullptr;  ///< from real_in, first
  Columns* columns = nullptr;           ///< along b
  const Rows* rows = nullptr;           ///< along c, last
  const BeforePlane* before = nullptr;
  bool in_stage = false;  ///< the planes that `find` returns are in the stage, and are sent from there
};

/// The steps on lines along a after their arrival, and their destination.
struct Consume {
  enum class To {
    transposed,  ///< out: [b of this rank][a][c]
    /// `visit` gets each [a][c] of this rank's b, in a part of `out`, or in the receive buffer where it has a
    /// single one.
    visited,
    real,  ///< real_out: [b of this rank][a][real_length], by real_rows along c
    back   ///< the backward transpose, to [a of this rank][b][c]
  };
  Columns* columns = nullptr;  ///< along a
  To to = To::transposed;
  Complex* out = nullptr;
  double* real_out = nullptr;
  std::size_t real_length = 0;
  const RealRows* real_rows = nullptr;
  const VisitPlane* visit = nullptr;
  /// Whether the consumption overwrites the stage: all sends from it must have completed.
  bool frees_stage = false;
};

/// The memory and exchanges that the transposes of a plan share. The plan owns them.
struct TransposeExchanges {
  exchange::Exchange* over = nullptr;
  std::size_t over_pattern = 0;
  exchange::Exchange* back = nullptr;  ///< null where no backward transpose is used
  Complex* stage = nullptr;            ///< planes that are being sent
  bool buffer_reusable =
      false;  ///< between rounds this rank may use the receive buffer of the forward transpose
};

/// One transpose. Computation between starting, waiting and signalling counts as work where the caller has a
/// timer for it.
class Transpose {
 public:
  Transpose(const TransposeShape& shape, const TransposeExchanges& exchanges, int rank, PlanTimers& timers);

  /// Runs the whole transpose. After a backward transpose the data is complete in back->receive_buffer(): see
  /// unpack(). Collective.
  void run(const Produce& produce, const Consume& consume);
  // The three parts of run(), for planes that are produced one by one: open, all planes in order, finish.
  void open();
  void add_plane(const Produce& work, std::size_t plane);
  void finish(const Consume& consume);
  /// Waits until the sources of all sends so far may be overwritten.
  void all_sent();

  /// Sets the place in the receive buffer at which the next rounds arrive, and the stage from which they
  /// leave.
  void set_buffers(std::size_t place, Complex* stage);

  /// Runs the forward transpose only: the data arrives in receive_buffer(), [a][b of this rank][c].
  void run_forward(const Produce& produce);
  /// Runs the backward transpose only, on data in the layout in which it arrived. `in` may be the receive
  /// buffer of a transpose with `buffer_reusable`.
  void run_backward(const Complex* in);
  [[nodiscard]] Complex* receive_buffer() const {
    return reinterpret_cast<Complex*>(exchanges_.over->receive_buffer()) + place_ * shape_.after(rank_);
  }
  /// The data that the backward transpose brought to this rank: c elements of a row of a plane; a plane,
  /// [b][c]; all, [a of this rank][b][c].
  [[nodiscard]] Complex* returned(std::size_t plane, std::size_t row) const;
  void unpack_plane(std::size_t plane, Complex* out) const;
  void unpack(Complex* out) const;

 private:
  // transpose_produce.cpp
  void set_row_targets(std::size_t plane, bool in_place);
  void transform_columns(const Produce& work, std::size_t plane);
  void send_pieces(const Produce& work, std::size_t plane);
  void send_packed();
  /// The byte offset of a row in the target's receive buffer.
  [[nodiscard]] std::size_t offset_at(int target, std::size_t row) const {
    return (place_ * shape_.after(target) + row * shape_.c) * sizeof(Complex);
  }
  // transpose_consume.cpp
  void done();
  void consume(const Consume& work);
  void consume_row(const Consume& work, std::size_t row);
  void empty_tile(const Consume& work, std::size_t row, std::size_t column, std::size_t width);
  void send_tile_back(Columns& tile, std::size_t row, std::size_t column, std::size_t width);
  void open_back();
  void send_back(const Complex* from, int group, bool stored);
  void close_back();

  [[nodiscard]] int ranks() const { return shape_.a.ranks; }
  [[nodiscard]] Complex* back_buffer() const {
    return reinterpret_cast<Complex*>(exchanges_.back->receive_buffer());
  }

  TransposeShape shape_;
  TransposeExchanges exchanges_;
  int rank_;
  PlanTimers& timers_;
  std::size_t place_ = 0;       // the place in the receive buffer
  bool copies_ = true;          // every send is a copy, so that all planes can use one plane of the stage
  std::vector<Complex*> rows_;  // rows of the current plane, by b
};

}  // namespace stretto::fft
