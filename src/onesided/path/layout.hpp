// SPDX-License-Identifier: BSD-3-Clause
// The layout of a transfer of any shape: pieces of local memory and their offsets at the target. Knows no
// MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stretto/shape.hpp>
#include <vector>

namespace stretto::onesided {

struct Piece {
  std::byte* local = nullptr;
  std::size_t offset = 0;  // in the target's part
  std::size_t size_bytes = 0;
  std::uint32_t region = 0;  // its number; only the pieces of an aggregate may be in different ones

  /// One past the last byte at the target; 0 without bytes, SIZE_MAX where that is no address.
  [[nodiscard]] std::size_t remote_end() const {
    if (size_bytes == 0) return 0;
    return size_bytes > SIZE_MAX - offset ? SIZE_MAX : offset + size_bytes;
  }
};

/// Equal pieces with constant strides, in local memory and at the target.
struct Row {
  Piece first;
  std::size_t count = 1;
  std::size_t local_stride = 0;
  std::size_t remote_stride = 0;
};

class Layout {
 public:
  [[nodiscard]] static Layout contiguous(const Piece& piece);
  /// `first` is the place of the first block. Throws ArgumentError `shape` when the members are inconsistent.
  [[nodiscard]] static Layout strided(const Piece& first, const Strided& shape);
  [[nodiscard]] static Layout vector(std::vector<Piece> pieces);

  [[nodiscard]] bool is_contiguous() const { return levels_ == 0 && !is_vector_; }
  [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }
  /// Bytes of the shortest piece.
  [[nodiscard]] std::size_t min_piece_bytes() const;
  /// One past the last byte at the target, 0 for a layout without bytes.
  [[nodiscard]] std::size_t remote_end() const { return remote_end_; }

  /// Calls `visit(const Row&)` for every row of pieces that have bytes. The visitor has the loop over small
  /// pieces, so that it can be a tight one.
  template <typename Visit>
  void for_each_row(Visit&& visit) const {
    if (is_vector_) {
      for (const Piece& piece : pieces_) {
        if (piece.size_bytes > 0) visit(Row{.first = piece});
      }
    } else if (size_bytes_ > 0) {
      walk(levels_, first_, visit);
    }
  }

  /// Calls `visit(const Piece&)` for every piece that has bytes.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for_each_row([&](const Row& row) {
      Piece piece = row.first;
      for (std::size_t i = 0; i < row.count; ++i) {
        visit(static_cast<const Piece&>(piece));
        piece.local += row.local_stride;
        piece.offset += row.remote_stride;
      }
    });
  }

  /// Whether a piece with bytes has no local memory.
  [[nodiscard]] bool has_null() const { return has_null_; }

  /// Whether any source byte is also a destination byte, when the target's part is at `remote` in this
  /// process. Pieces that lie where they go do not count where `may_stay` says so.
  [[nodiscard]] bool overlaps(const std::byte* remote, bool may_stay = false) const;

 private:
  friend class Cursor;
  /// Whether the bounding ranges of all sources and of all destinations have a byte in common.
  [[nodiscard]] bool ranges_meet(const std::byte* remote) const;
  [[nodiscard]] std::size_t count(std::size_t level) const { return shape_[level]; }
  [[nodiscard]] std::size_t local_stride(std::size_t level) const { return shape_[levels_ + level]; }
  [[nodiscard]] std::size_t remote_stride(std::size_t level) const { return shape_[2 * levels_ + level]; }

  template <typename Visit>
  void walk(std::size_t levels, Piece piece, Visit& visit) const {
    if (levels == 0) return visit(Row{.first = piece});
    const std::size_t level = levels - 1;
    if (level == 0) return visit(Row{piece, count(0), local_stride(0), remote_stride(0)});
    for (std::size_t i = 0; i < count(level); ++i) {
      walk(level, piece, visit);
      piece.local += local_stride(level);
      piece.offset += remote_stride(level);
    }
  }

  Piece first_;
  std::size_t levels_ = 0;
  std::vector<std::size_t> shape_;  // the counts of all levels, then local strides, then remote strides
  std::vector<Piece> pieces_;
  bool is_vector_ = false;
  bool has_null_ = false;
  std::size_t size_bytes_ = 0;
  std::size_t local_span_ = 0;  // of a strided layout, from the first byte to one past the last
  std::size_t remote_end_ = 0;
};

/// Walks through a layout in steps of any size. The layout must not move.
class Cursor {
 public:
  explicit Cursor(const Layout& layout);

  [[nodiscard]] bool done() const { return left_ == 0; }
  /// The rest of the current piece. Requires !done().
  [[nodiscard]] Piece next() const;
  /// Advances by `size_bytes` of next().
  void advance(std::size_t size_bytes);

 private:
  void enter();

  const Layout* layout_;
  std::size_t left_;                // bytes of the whole layout
  std::size_t used_ = 0;            // bytes of the current piece
  Piece piece_;                     // the current one, whole
  std::size_t index_ = 0;           // of it, in a vector
  std::vector<std::size_t> place_;  // of it, in a strided layout: one index a level
};

}  // namespace stretto::onesided
