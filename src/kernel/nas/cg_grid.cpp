// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/nas/cg_grid.hpp"

#include <algorithm>

#include "kernel/scope_timer.hpp"

namespace stretto::kernel {
namespace {

constexpr std::size_t double_bytes = sizeof(double);

/// As square as it can be, and at least as many columns as rows, as in the benchmark.
int grid_rows_for(int ranks) {
  int rows = 1;
  for (int divisor = 1; divisor * divisor <= ranks; ++divisor) {
    if (ranks % divisor == 0) rows = divisor;
  }
  return rows;
}

// A piece leaves in chunks, so that the first is under way when little is computed; but no chunk is so short
// that what it costs to send is more than what is gained by that.
constexpr std::size_t least_chunk_bytes = std::size_t{16} << 10U;
constexpr std::size_t most_chunks = 8;

int chunks_of(std::size_t piece_bytes) {
  return static_cast<int>(std::clamp<std::size_t>(piece_bytes / least_chunk_bytes, 1, most_chunks));
}

std::vector<int> ranks_from(int first, int step, int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ranks[static_cast<std::size_t>(i)] = first + i * step;
  return ranks;
}

}  // namespace

CgGrid::CgGrid(Runtime& runtime, const nas::CgClass& size, const nas::Exchange& exchange)
    : rank_(runtime.rank()),
      rows_(grid_rows_for(runtime.size())),
      columns_(runtime.size() / rows_),
      row_(rank_ / columns_),
      column_(rank_ % columns_),
      pieces_{size.rows, runtime.size()},
      overlap_(exchange.overlap),
      split_(overlap_ && rows_ > 1),
      chunks_(overlap_ ? chunks_of(pieces_.largest() * double_bytes) : 1),
      column_team_(runtime, ranks_from(column_, columns_, rows_)),
      row_team_(runtime, ranks_from(row_ * columns_, 1, columns_)),
      row_sums_(runtime, row_team_, exchange),
      column_sums_(runtime, column_team_, exchange) {
  expand_place_.push_back(0);
  for (int i = 0; i < rows_; ++i) expand_place_.push_back(expand_place_.back() + pieces_.count(in_column(i)));
  std::size_t first = 0;
  for (int j = 0; j < columns_; ++j) {
    const Share chunks{pieces_.count(in_row(j)), chunks_};
    for (int chunk = 0; chunk < chunks_; ++chunk) fold_place_.push_back(first + chunks.first(chunk));
    first += chunks.total;
  }
  fold_place_.push_back(first);
  product_.resize(fold_place_.back());
  make_matrix(size);
  expand_ = expand_mover(runtime, exchange);
  fold_ = fold_mover(runtime, exchange);
  expand_->release();
  fold_->release();
}

void CgGrid::make_matrix(const nas::CgClass& size) {
  nas::CgPart part{.first_row = pieces_.first(in_row(0)),
                   .last_row = pieces_.first(in_row(columns_ - 1) + 1)};
  const auto place = [this](std::size_t column) {
    const int owner = pieces_.owner(column);
    if (owner % columns_ != column_) return nas::CgPart::absent;
    const auto i = static_cast<std::size_t>(owner / columns_);
    return static_cast<std::uint32_t>(expand_place_[i] + column - pieces_.first(owner));
  };
  if (!split_) {
    part.place = place;
    others_ = {nas::cg_matrix(size, part), fold_place_};
    return;
  }
  const auto is_own = [this](std::size_t column) { return pieces_.owner(column) == rank_; };
  part.place = [&](std::size_t column) { return is_own(column) ? place(column) : nas::CgPart::absent; };
  own_ = {nas::cg_matrix(size, part), fold_place_};
  part.place = [&](std::size_t column) { return is_own(column) ? nas::CgPart::absent : place(column); };
  others_ = {nas::cg_matrix(size, part), fold_place_};
}

/// The landing: the pieces of the grid column.
std::unique_ptr<Mover> CgGrid::expand_mover(Runtime& runtime, const nas::Exchange& exchange) {
  Route route;
  for (int i = 0; i < rows_; ++i) {
    if (i == row_) continue;
    const std::size_t offset = expand_place_[static_cast<std::size_t>(i)] * double_bytes;
    route.push_back({i, 0, {.offset = offset, .size_bytes = pieces_.count(in_column(i)) * double_bytes}});
  }
  const MoverShape shape{.landing_bytes = expand_place_.back() * double_bytes, .blocking = exchange.blocking};
  return make_mover(exchange.transport, runtime, column_team_, shape, {std::move(route)});
}

/// The landing: this rank's piece from each rank of the grid row.
std::unique_ptr<Mover> CgGrid::fold_mover(Runtime& runtime, const nas::Exchange& exchange) {
  const Share chunks{piece(), chunks_};
  const std::size_t piece_bytes = chunks.total * double_bytes;
  Route route;
  for (int j = 0; j < columns_; ++j) {
    if (j == column_) continue;
    for (int chunk = 0; chunk < chunks_; ++chunk) {
      const std::size_t place =
          static_cast<std::size_t>(j) * piece_bytes + chunks.first(chunk) * double_bytes;
      route.push_back({j, 0, {.offset = place, .size_bytes = chunks.count(chunk) * double_bytes}});
    }
  }
  const MoverShape shape{.landing_bytes = static_cast<std::size_t>(columns_) * piece_bytes,
                         .blocking = exchange.blocking};
  return make_mover(exchange.transport, runtime, row_team_, shape, {std::move(route)});
}

void CgGrid::multiply(const double* p, double* q) {
  expand_->open(0);
  fold_->open(0);
  send_piece(p);
  std::fill(product_.begin(), product_.end(), 0.0);
  if (split_) multiply_all(own_);
  {
    const ScopeTimer wait(timers_, &nas::Timers::sync_s);
    expand_->arrived(0);
  }
  if (!overlap_) multiply_all(others_);
  for (int step = 1; step <= columns_; ++step) fold_rows((column_ + step) % columns_);
  {
    const ScopeTimer wait(timers_, &nas::Timers::sync_s);
    expand_->sent();
  }
  expand_->release();
  add_folded(q);
}

void CgGrid::multiply_all(const SlicedRows& matrix) {
  for (std::size_t part = 0; part < matrix.parts(); ++part)
    matrix.multiply_add(part, gathered(), product_.data());
}

void CgGrid::send_piece(const double* p) {
  const std::size_t own = expand_place_[static_cast<std::size_t>(row_)];
  std::copy_n(p, piece(), reinterpret_cast<double*>(expand_->landing()) + own);
  const ScopeTimer start(timers_, &nas::Timers::init_s);
  for (int step = 1; step < rows_; ++step) {
    // A rank's piece is at the same place in the landings of its whole grid column.
    expand_->send((row_ + step) % rows_, reinterpret_cast<const std::byte*>(p),
                  {.offset = own * double_bytes, .size_bytes = piece() * double_bytes}, 0);
  }
}

/// The rows of one rank of the grid row, computed now where that overlaps, and away; this rank's own come
/// last.
void CgGrid::fold_rows(int target) {
  const std::size_t begin = fold_place(target);
  const std::size_t landing = static_cast<std::size_t>(column_) * (fold_place(target + 1) - begin);
  for (int chunk = 0; chunk < chunks_; ++chunk) {
    if (overlap_) others_.multiply_add(chunk_number(target, chunk), gathered(), product_.data());
    if (target == column_) continue;
    const ScopeTimer start(timers_, &nas::Timers::init_s);
    const std::size_t first = fold_place(target, chunk);
    const std::size_t last = fold_place(target, chunk + 1);
    fold_->send(
        target, reinterpret_cast<const std::byte*>(product_.data() + first),
        {.offset = (landing + first - begin) * double_bytes, .size_bytes = (last - first) * double_bytes}, 0);
  }
}

/// Sums in the order of the grid row, so that they do not depend on who was first.
void CgGrid::add_folded(double* q) {
  {
    const ScopeTimer wait(timers_, &nas::Timers::sync_s);
    fold_->arrived(0);
    fold_->sent();
  }
  const auto* landed = reinterpret_cast<const double*>(fold_->landing());
  const double* mine = product_.data() + fold_place(column_);
  std::fill_n(q, piece(), 0.0);
  for (int j = 0; j < columns_; ++j) {
    const double* from = j == column_ ? mine : landed + static_cast<std::size_t>(j) * piece();
    for (std::size_t i = 0; i < piece(); ++i) q[i] += from[i];
  }
  fold_->release();
}

double CgGrid::sum(double value) {
  const ScopeTimer wait(timers_, &nas::Timers::barrier_s);
  return column_sums_(row_sums_(value));
}

CgGrid::Sums::Sums(Runtime& runtime, const Team& team, const nas::Exchange& exchange)
    : place_(team.rank()), count_(team.size()) {
  if (count_ == 1) return;
  std::vector<Route> routes(2);
  for (int i = 0; i < 2 * count_; ++i) {
    if (i % count_ == place_) continue;
    const std::size_t offset = static_cast<std::size_t>(i) * double_bytes;
    routes[static_cast<std::size_t>(i / count_)].push_back(
        {i % count_, i % count_, {.offset = offset, .size_bytes = double_bytes}});
  }
  const MoverShape shape{.landing_bytes = 2 * static_cast<std::size_t>(count_) * double_bytes,
                         .groups = count_,
                         .blocking = exchange.blocking,
                         .self_paced = true};
  mover_ = make_mover(exchange.transport, runtime, team, shape, std::move(routes));
  mover_->release();
}

/// One value to each of the others and back, added in the order of the ranks.
double CgGrid::Sums::operator()(double value) {
  if (count_ == 1) return value;
  const std::size_t first = turn_ * static_cast<std::size_t>(count_);
  mover_->open(turn_);
  turn_ = 1 - turn_;
  for (int step = 1; step < count_; ++step) {
    mover_->send(
        (place_ + step) % count_, reinterpret_cast<const std::byte*>(&value),
        {.offset = (first + static_cast<std::size_t>(place_)) * double_bytes, .size_bytes = double_bytes},
        place_);
  }
  for (int i = 0; i < count_; ++i) {
    if (i != place_) mover_->arrived(i);
  }
  const auto* landed = reinterpret_cast<const double*>(mover_->landing()) + first;
  double total = 0;
  for (int i = 0; i < count_; ++i) total += i == place_ ? value : landed[i];
  mover_->sent();
  mover_->release();
  return total;
}

std::uint64_t CgGrid::messages() const {
  return expand_->messages() + fold_->messages() + row_sums_.messages() + column_sums_.messages();
}

}  // namespace stretto::kernel
