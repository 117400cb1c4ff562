// SPDX-License-Identifier: BSD-3-Clause
#include "replay/ordered_records.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace stretto::replay {
namespace {

using record::Record;

constexpr std::size_t min_ahead = 64;  // records of a thread that are read at once

bool is_call(const Record& one) { return record::high_field(one.begin_and_call) >= record::first_call; }

/// The records that stay together with this one.
std::size_t length_of(const Record& one) {
  return record::high_field(one.begin_and_call) == record::definition ? records_of_definition(one) : 1;
}

}  // namespace

bool OrderedRecords::next(TracePiece& piece, std::size_t most) {
  if (!is_begun_) find_threads();
  if (threads_.empty()) return blocks_.next(piece, most);
  if (turns_.empty()) return false;
  const std::size_t number = turns_.top().second;
  turns_.pop();
  const std::uint64_t until_ns =
      turns_.empty() ? std::numeric_limits<std::uint64_t>::max() : turns_.top().first;
  Ahead& own = threads_[number];
  const std::vector<Record>& records = own.piece.records;
  place_ = own.blocks.place_of(own.at);
  std::size_t end = own.at;
  do {
    end += length_of(records[end]);
  } while (end < records.size() && end - own.at < most &&
           (!is_call(records[end]) || record::low_field(records[end].begin_and_call) <= until_ns));
  piece.thread = own.piece.thread;
  piece.records.assign(records.begin() + static_cast<std::ptrdiff_t>(own.at),
                       records.begin() + static_cast<std::ptrdiff_t>(end));
  const auto last_call = std::find_if(piece.records.rbegin(), piece.records.rend(), is_call);
  if (last_call != piece.records.rend()) own.call_ns = record::low_field(last_call->begin_and_call);
  own.at = end;
  queue(number);
  return true;
}

bool OrderedRecords::has_several_threads() {
  if (!is_begun_) find_threads();
  return !threads_.empty();
}

void OrderedRecords::rewind() {
  blocks_.rewind();
  is_begun_ = false;
  threads_.clear();
  turns_ = {};
}

std::uint64_t OrderedRecords::place_of(std::size_t index) const {
  if (threads_.empty()) return blocks_.place_of(index);
  return blocks_.is_packed() ? place_ : place_ + index * sizeof(Record);
}

void OrderedRecords::find_threads() {
  is_begun_ = true;
  std::map<std::uint32_t, std::vector<std::uint64_t>> offsets;  // of the blocks of each thread
  for (const TraceBlock& one : blocks_.blocks()) offsets[one.thread].push_back(one.offset);
  if (offsets.size() < 2) return;
  max_ahead_ = std::max(max_piece_records / offsets.size(), min_ahead);
  threads_.reserve(offsets.size());
  for (auto& [thread, own] : offsets) {
    threads_.push_back({blocks_.at(std::move(own)), {}});
    queue(threads_.size() - 1);
  }
}

void OrderedRecords::queue(std::size_t number) {
  Ahead& own = threads_[number];
  if (own.at == own.piece.records.size()) {
    own.at = 0;
    if (!own.blocks.next(own.piece, max_ahead_)) return;
  }
  const Record& first = own.piece.records[own.at];
  if (is_call(first)) own.call_ns = record::low_field(first.begin_and_call);
  turns_.emplace(own.call_ns, number);
}

}  // namespace stretto::replay
