// SPDX-License-Identifier: BSD-3-Clause
#include "rma/layout.hpp"

#include <algorithm>
#include <functional>
#include <stretto/error.hpp>
#include <utility>

namespace stretto::rma {
namespace {

/// a * b + c, or an error: an extent that does not fit into size_t is in no memory.
std::size_t extend(std::size_t a, std::size_t b, std::size_t c) {
  std::size_t product = 0;
  std::size_t sum = 0;
  if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(product, c, &sum)) {
    throw ArgumentError("shape", "reaches beyond what an address can be");
  }
  return sum;
}

}  // namespace

Layout Layout::contiguous(const Piece& piece) {
  Layout layout;
  layout.first_ = piece;
  layout.size_bytes_ = piece.size_bytes;
  layout.remote_end_ = piece.size_bytes == 0 ? 0 : extend(1, piece.offset, piece.size_bytes);
  return layout;
}

Layout Layout::strided(const Piece& first, const Strided& shape) {
  if (shape.counts.empty())
    throw ArgumentError("shape", "counts has no member; the first is the bytes of a block");
  const std::size_t levels = shape.counts.size() - 1;
  if (shape.local_strides.size() != levels || shape.remote_strides.size() != levels) {
    throw ArgumentError("shape", "local_strides and remote_strides need one member less than counts, " +
                                     std::to_string(levels) + ", but have " +
                                     std::to_string(shape.local_strides.size()) + " and " +
                                     std::to_string(shape.remote_strides.size()));
  }
  Layout layout;
  layout.first_ = first;
  layout.first_.size_bytes = shape.counts[0];
  layout.levels_ = levels;
  layout.shape_.reserve(3 * levels);
  layout.shape_.assign(shape.counts.begin() + 1, shape.counts.end());
  layout.shape_.insert(layout.shape_.end(), shape.local_strides.begin(), shape.local_strides.end());
  layout.shape_.insert(layout.shape_.end(), shape.remote_strides.begin(), shape.remote_strides.end());
  layout.size_bytes_ = shape.counts[0];
  for (std::size_t level = 0; level < levels; ++level) {
    layout.size_bytes_ = extend(layout.size_bytes_, layout.count(level), 0);
  }
  if (layout.size_bytes_ == 0) return layout;
  layout.remote_end_ = extend(1, first.offset, shape.counts[0]);
  for (std::size_t level = 0; level < levels; ++level) {
    layout.remote_end_ = extend(layout.count(level) - 1, layout.remote_stride(level), layout.remote_end_);
  }
  return layout;
}

Layout Layout::vector(std::vector<Piece> pieces) {
  Layout layout;
  layout.is_vector_ = true;
  layout.pieces_ = std::move(pieces);
  for (const Piece& piece : layout.pieces_) {
    if (piece.size_bytes == 0) continue;
    layout.size_bytes_ = extend(1, layout.size_bytes_, piece.size_bytes);
    layout.remote_end_ = std::max(layout.remote_end_, extend(1, piece.offset, piece.size_bytes));
  }
  return layout;
}

bool Layout::overlaps(const std::byte* remote) const {
  using Range = std::pair<const std::byte*, const std::byte*>;
  const std::less<> before;  // pointers into different objects have an order only here
  if (is_contiguous()) {
    const std::byte* there = remote + first_.offset;
    return size_bytes_ > 0 && before(first_.local, there + size_bytes_) &&
           before(there, first_.local + size_bytes_);
  }
  std::vector<Range> here;
  std::vector<Range> there;
  Range box_here{nullptr, nullptr};
  Range box_there{nullptr, nullptr};
  const auto widen = [&](Range& box, const Range& range) {
    if (box.first == nullptr || before(range.first, box.first)) box.first = range.first;
    if (box.second == nullptr || before(box.second, range.second)) box.second = range.second;
  };
  for_each([&](const Piece& piece) {
    widen(box_here, {piece.local, piece.local + piece.size_bytes});
    widen(box_there, {remote + piece.offset, remote + piece.offset + piece.size_bytes});
  });
  if (!before(box_here.first, box_there.second) || !before(box_there.first, box_here.second)) return false;
  // The boxes meet, as those of two columns of one matrix do: look at every piece.
  for_each([&](const Piece& piece) {
    here.emplace_back(piece.local, piece.local + piece.size_bytes);
    there.emplace_back(remote + piece.offset, remote + piece.offset + piece.size_bytes);
  });
  std::sort(here.begin(), here.end());
  std::sort(there.begin(), there.end());
  for (auto a = here.begin(), b = there.begin(); a != here.end() && b != there.end();) {
    if (before(a->first, b->second) && before(b->first, a->second)) return true;
    if (before(a->second, b->second)) {
      ++a;
    } else {
      ++b;
    }
  }
  return false;
}

Cursor::Cursor(const Layout& layout)
    : layout_(&layout), left_(layout.size_bytes()), place_(layout.levels_, 0) {
  if (left_ > 0) enter();
}

void Cursor::enter() {
  used_ = 0;
  if (layout_->is_vector_) {
    while (layout_->pieces_[index_].size_bytes == 0) ++index_;
    piece_ = layout_->pieces_[index_];
    return;
  }
  piece_ = layout_->first_;
  for (std::size_t level = 0; level < place_.size(); ++level) {
    piece_.local += place_[level] * layout_->local_stride(level);
    piece_.offset += place_[level] * layout_->remote_stride(level);
  }
}

Piece Cursor::next() const {
  return {.local = piece_.local + used_,
          .offset = piece_.offset + used_,
          .size_bytes = piece_.size_bytes - used_,
          .region = piece_.region};
}

void Cursor::advance(std::size_t size_bytes) {
  used_ += size_bytes;
  left_ -= size_bytes;
  if (used_ < piece_.size_bytes || left_ == 0) return;
  ++index_;
  for (std::size_t level = 0; level < place_.size(); ++level) {
    if (++place_[level] < layout_->count(level)) break;
    place_[level] = 0;
  }
  enter();
}

}  // namespace stretto::rma
