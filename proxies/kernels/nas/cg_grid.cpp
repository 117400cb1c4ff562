// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/cg_grid.hpp"

#include <algorithm>

#include "plan/scope_timer.hpp"

namespace stretto::kernel {
namespace {

constexpr std::size_t double_bytes = sizeof(double);

std::vector<int> ranks_from(int first, int step, int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ranks[static_cast<std::size_t>(i)] = first + i * step;
  return ranks;
}

}  // namespace

CgGrid::CgGrid(Runtime& runtime, const nas::CgClass& size, const nas::ExchangeMode& mode)
    : rank_(runtime.rank()),
      layout_(size.rows, runtime.size(), mode.overlap),
      row_(rank_ / layout_.columns),
      column_(rank_ % layout_.columns),
      overlap_(mode.overlap),
      column_team_(runtime, ranks_from(column_, layout_.columns, layout_.rows)),
      row_team_(runtime, ranks_from(row_ * layout_.columns, 1, layout_.columns)),
      row_sums_(runtime, row_team_, mode),
      column_sums_(runtime, column_team_, mode) {
  expand_place_.push_back(0);
  for (int i = 0; i < layout_.rows; ++i)
    expand_place_.push_back(expand_place_.back() + layout_.pieces.count(in_column(i)));
  std::size_t first = 0;
  for (int j = 0; j < layout_.columns; ++j) {
    const plan::BlockDistribution chunks{layout_.pieces.count(in_row(j)), layout_.chunks};
    for (int chunk = 0; chunk < layout_.chunks; ++chunk) fold_place_.push_back(first + chunks.first(chunk));
    first += chunks.total;
  }
  fold_place_.push_back(first);
  product_.resize(fold_place_.back());
  make_matrix(size);
  expand_ = expand_exchange(runtime, mode);
  fold_ = fold_exchange(runtime, mode);
  expand_->release_buffer();
  fold_->release_buffer();
}

void CgGrid::make_matrix(const nas::CgClass& size) {
  nas::CgPart part{.first_row = layout_.pieces.first(in_row(0)),
                   .last_row = layout_.pieces.first(in_row(layout_.columns - 1) + 1)};
  const auto place = [this](std::size_t column) {
    const int owner = layout_.pieces.owner(column);
    if (owner % layout_.columns != column_) return nas::CgPart::absent;
    const auto i = static_cast<std::size_t>(owner / layout_.columns);
    return static_cast<std::uint32_t>(expand_place_[i] + column - layout_.pieces.first(owner));
  };
  if (!layout_.split) {
    part.place = place;
    others_ = {nas::cg_matrix(size, part), fold_place_};
    return;
  }
  const auto is_own = [this](std::size_t column) { return layout_.pieces.owner(column) == rank_; };
  part.place = [&](std::size_t column) { return is_own(column) ? place(column) : nas::CgPart::absent; };
  own_ = {nas::cg_matrix(size, part), fold_place_};
  part.place = [&](std::size_t column) { return is_own(column) ? nas::CgPart::absent : place(column); };
  others_ = {nas::cg_matrix(size, part), fold_place_};
}

/// The exchange of the expand. Its receive buffer holds the pieces of the grid column.
std::unique_ptr<exchange::Exchange> CgGrid::expand_exchange(Runtime& runtime, const nas::ExchangeMode& mode) {
  exchange::ReceivePattern pattern;
  for (int i = 0; i < layout_.rows; ++i) {
    if (i == row_) continue;
    const std::size_t offset = expand_place_[static_cast<std::size_t>(i)] * double_bytes;
    pattern.push_back(
        {i, 0, {.offset = offset, .size_bytes = layout_.pieces.count(in_column(i)) * double_bytes}});
  }
  const exchange::ExchangeShape shape{.buffer_bytes = expand_place_.back() * double_bytes,
                                      .blocking = mode.blocking};
  return exchange::make_exchange(mode.transport, runtime, column_team_, shape, {std::move(pattern)});
}

/// The exchange of the fold. Its receive buffer holds this rank's piece from each rank of the grid row.
std::unique_ptr<exchange::Exchange> CgGrid::fold_exchange(Runtime& runtime, const nas::ExchangeMode& mode) {
  const plan::BlockDistribution chunks{piece(), layout_.chunks};
  const std::size_t piece_bytes = chunks.total * double_bytes;
  exchange::ReceivePattern pattern;
  for (int j = 0; j < layout_.columns; ++j) {
    if (j == column_) continue;
    for (int chunk = 0; chunk < layout_.chunks; ++chunk) {
      const std::size_t place =
          static_cast<std::size_t>(j) * piece_bytes + chunks.first(chunk) * double_bytes;
      pattern.push_back({j, 0, {.offset = place, .size_bytes = chunks.count(chunk) * double_bytes}});
    }
  }
  const exchange::ExchangeShape shape{.buffer_bytes = static_cast<std::size_t>(layout_.columns) * piece_bytes,
                                      .blocking = mode.blocking};
  return exchange::make_exchange(mode.transport, runtime, row_team_, shape, {std::move(pattern)});
}

void CgGrid::multiply(const double* p, double* q) {
  expand_->open(0);
  fold_->open(0);
  send_piece(p);
  std::fill(product_.begin(), product_.end(), 0.0);
  if (layout_.split) multiply_all(own_);
  {
    const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
    expand_->wait_arrived(0);
  }
  if (!overlap_) multiply_all(others_);
  for (int step = 1; step <= layout_.columns; ++step) fold_rows((column_ + step) % layout_.columns);
  {
    const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
    expand_->wait_sent();
  }
  expand_->release_buffer();
  add_folded(q);
}

void CgGrid::multiply_all(const SlicedRows& matrix) {
  for (std::size_t part = 0; part < matrix.parts(); ++part)
    matrix.multiply_add(part, gathered(), product_.data());
}

void CgGrid::send_piece(const double* p) {
  const std::size_t own = expand_place_[static_cast<std::size_t>(row_)];
  std::copy_n(p, piece(), reinterpret_cast<double*>(expand_->receive_buffer()) + own);
  const plan::ScopeTimer start(timers_, &PlanTimers::init_s);
  for (int step = 1; step < layout_.rows; ++step) {
    // A rank's piece has the same offset in the receive buffers of its whole grid column.
    expand_->send((row_ + step) % layout_.rows, reinterpret_cast<const std::byte*>(p),
                  {.offset = own * double_bytes, .size_bytes = piece() * double_bytes}, 0);
  }
}

/// Sends the rows of one rank of the grid row, after computing them here if communication overlaps. This
/// rank's own rows come last.
void CgGrid::fold_rows(int target) {
  const std::size_t begin = fold_place(target);
  const std::size_t remote_offset = static_cast<std::size_t>(column_) * (fold_place(target + 1) - begin);
  for (int chunk = 0; chunk < layout_.chunks; ++chunk) {
    if (overlap_) others_.multiply_add(chunk_number(target, chunk), gathered(), product_.data());
    if (target == column_) continue;
    const plan::ScopeTimer start(timers_, &PlanTimers::init_s);
    const std::size_t first = fold_place(target, chunk);
    const std::size_t last = fold_place(target, chunk + 1);
    fold_->send(target, reinterpret_cast<const std::byte*>(product_.data() + first),
                {.offset = (remote_offset + first - begin) * double_bytes,
                 .size_bytes = (last - first) * double_bytes},
                0);
  }
}

/// Adds the partial sums in the order of the grid row, so that the result does not depend on the order of
/// arrival.
void CgGrid::add_folded(double* q) {
  {
    const plan::ScopeTimer wait(timers_, &PlanTimers::sync_s);
    fold_->wait_arrived(0);
    fold_->wait_sent();
  }
  const auto* received = reinterpret_cast<const double*>(fold_->receive_buffer());
  const double* mine = product_.data() + fold_place(column_);
  std::fill_n(q, piece(), 0.0);
  for (int j = 0; j < layout_.columns; ++j) {
    const double* from = j == column_ ? mine : received + static_cast<std::size_t>(j) * piece();
    for (std::size_t i = 0; i < piece(); ++i) q[i] += from[i];
  }
  fold_->release_buffer();
}

double CgGrid::sum(double value) {
  const plan::ScopeTimer wait(timers_, &PlanTimers::barrier_s);
  return column_sums_(row_sums_(value));
}

CgGrid::Sums::Sums(Runtime& runtime, const Team& team, const nas::ExchangeMode& mode)
    : place_(team.rank()), count_(team.size()) {
  if (count_ == 1) return;
  std::vector<exchange::ReceivePattern> patterns(2);
  for (int i = 0; i < 2 * count_; ++i) {
    if (i % count_ == place_) continue;
    const std::size_t offset = static_cast<std::size_t>(i) * double_bytes;
    patterns[static_cast<std::size_t>(i / count_)].push_back(
        {i % count_, i % count_, {.offset = offset, .size_bytes = double_bytes}});
  }
  const exchange::ExchangeShape shape{.buffer_bytes = 2 * static_cast<std::size_t>(count_) * double_bytes,
                                      .groups = count_,
                                      .blocking = mode.blocking,
                                      .implicit_credits = true};
  exchange_ = exchange::make_exchange(mode.transport, runtime, team, shape, std::move(patterns));
  exchange_->release_buffer();
}

/// Exchanges one value with each other rank and adds them in rank order.
double CgGrid::Sums::operator()(double value) {
  if (count_ == 1) return value;
  const std::size_t first = turn_ * static_cast<std::size_t>(count_);
  exchange_->open(turn_);
  turn_ = 1 - turn_;
  for (int step = 1; step < count_; ++step) {
    exchange_->send(
        (place_ + step) % count_, reinterpret_cast<const std::byte*>(&value),
        {.offset = (first + static_cast<std::size_t>(place_)) * double_bytes, .size_bytes = double_bytes},
        place_);
  }
  for (int i = 0; i < count_; ++i) {
    if (i != place_) exchange_->wait_arrived(i);
  }
  const auto* received = reinterpret_cast<const double*>(exchange_->receive_buffer()) + first;
  double total = 0;
  for (int i = 0; i < count_; ++i) total += i == place_ ? value : received[i];
  exchange_->wait_sent();
  exchange_->release_buffer();
  return total;
}

std::uint64_t CgGrid::messages() const {
  return expand_->messages() + fold_->messages() + row_sums_.messages() + column_sums_.messages();
}

}  // namespace stretto::kernel
