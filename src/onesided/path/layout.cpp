// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/path/layout.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <stretto/error.hpp>
#include <utility>

namespace stretto::onesided {
namespace {

/// a * b + c. Throws ArgumentError where it does not fit into size_t, because no memory is as large.
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
  layout.remote_end_ = piece.remote_end();
  layout.has_null_ = piece.local == nullptr && piece.size_bytes > 0;
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
  layout.has_null_ = first.local == nullptr;
  layout.local_span_ = shape.counts[0];
  layout.remote_end_ = extend(1, first.offset, shape.counts[0]);
  for (std::size_t level = 0; level < levels; ++level) {
    layout.local_span_ = extend(layout.count(level) - 1, layout.local_stride(level), layout.local_span_);
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
    if (piece.local == nullptr) layout.has_null_ = true;
    layout.size_bytes_ = extend(1, layout.size_bytes_, piece.size_bytes);
    layout.remote_end_ = std::max(layout.remote_end_, piece.remote_end());
  }
  return layout;
}

std::size_t Layout::min_piece_bytes() const {
  if (!is_vector_) return first_.size_bytes;
  std::size_t least = size_bytes_;
  for_each([&](const Piece& piece) { least = std::min(least, piece.size_bytes); });
  return least;
}

bool Layout::ranges_meet(const std::byte* remote) const {
  const std::less<> before;  // pointers into different objects have an order only here
  const auto meet = [&](const std::byte* here, std::size_t here_bytes, const std::byte* there,
                        std::size_t there_bytes) {
    return before(here, there + there_bytes) && before(there, here + here_bytes);
  };
  if (size_bytes_ == 0) return false;
  if (!is_vector_) {
    const std::size_t span = is_contiguous() ? size_bytes_ : local_span_;
    return meet(first_.local, span, remote + first_.offset, remote_end_ - first_.offset);
  }
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;
  std::size_t first = remote_end_;
  for_each([&](const Piece& piece) {
    if (begin == nullptr || before(piece.local, begin)) begin = piece.local;
    if (end == nullptr || before(end, piece.local + piece.size_bytes)) end = piece.local + piece.size_bytes;
    first = std::min(first, piece.offset);
  });
  return meet(begin, static_cast<std::size_t>(end - begin), remote + first, remote_end_ - first);
}

bool Layout::overlaps(const std::byte* remote, bool may_stay) const {
  if (!ranges_meet(remote)) return false;
  if (is_contiguous()) return !may_stay || first_.local != remote + first_.offset;
  // The ranges meet, as those of two columns of one matrix do, so the pieces decide.
  using Range = std::pair<const std::byte*, const std::byte*>;
  const std::less<> before;
  std::vector<Range> here;
  std::vector<Range> there;
  for_each([&](const Piece& piece) {
    here.emplace_back(piece.local, piece.local + piece.size_bytes);
    there.emplace_back(remote + piece.offset, remote + piece.offset + piece.size_bytes);
  });
  std::sort(here.begin(), here.end());
  std::sort(there.begin(), there.end());
  const auto meet = [&](const Range& a, const Range& b) {
    return before(a.first, b.second) && before(b.first, a.second);
  };
  for (auto a = here.begin(), b = there.begin(); a != here.end() && b != there.end();) {
    if (may_stay && *a == *b) {
      // The same piece, unless another one meets it, too.
      ++a;
      ++b;
      if (a != here.end() && meet(*a, *std::prev(b))) return true;
      if (b != there.end() && meet(*std::prev(a), *b)) return true;
      continue;
    }
    if (meet(*a, *b)) return true;
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

}  // namespace stretto::onesided
