// SPDX-License-Identifier: BSD-3-Clause
#include "trace/stream.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "trace/core_wait.hpp"
#include "trace/not_cancelled.hpp"

namespace stretto::trace {
namespace {

constexpr std::uint64_t largest_block_bytes = std::uint64_t{1} << 20U;
/// What a packed block keeps free, so that its open polls can be packed at any time.
constexpr std::uint64_t polls_space = record::max_open_polls * record::packed::max_record_bytes;

/// Whether two calls that found nothing differ in their times only.
bool is_same_poll(const record::Record& one, const record::Record& other) {
  return record::high_field(one.begin_and_call) == record::high_field(other.begin_and_call) &&
         record::high_field(one.duration_and_site) == record::high_field(other.duration_and_site) &&
         one.bytes_and_context == other.bytes_and_context && one.peer == other.peer && one.tag == other.tag &&
         one.request == other.request && one.count == other.count;
}

/// What stays free behind a definition that goes with its block, for the record that refers to it.
constexpr std::uint64_t record_space = 2 * record::packed::max_record_bytes;

}  // namespace

void Stream::append_poll(const record::Record& poll) {
  if (merge_poll(poll)) return;
  if (packer_ != nullptr) return open_poll(poll);
  const std::uint64_t block = block_.offset;
  const std::uint32_t before = polls_;
  append(poll);
  polls_ = full_ ? 0 : block_.offset == block ? before + 1 : 1;
}

std::uint32_t Stream::equal_poll(const record::Record& poll) const {
  return index_of_poll([&poll](const record::Record& one) { return is_same_poll(one, poll); });
}

void Stream::time_counted(std::uint64_t ns) {
  std::uint64_t all = std::accumulate(counted_.begin(), counted_.end(), std::uint64_t{0});
  for (std::uint32_t index = 0; index < polls_; ++index) {
    if (counted_[index] == 0) continue;
    const std::uint64_t own_ns = ns * counted_[index] / all;  // the last one takes what is left
    polls()[index].duration_and_site += own_ns;
    ns -= own_ns;
    all -= counted_[index];
  }
  if (polls_ > 0) separate(0);
  counted_ = {};
}

/// False where the poll begins a span, or is the first of its kind in this one.
bool Stream::merge_poll(const record::Record& poll) {
  if (polls_ == 0) return false;
  if (record::end_ns(poll) - record::low_field(polls()->begin_and_call) > poll_span_ns) {
    end_polls();
    return false;
  }
  const std::uint32_t index = equal_poll(poll);
  if (index == polls_) {
    if (polls_ == max_polls) end_polls();
    return false;
  }
  record::Record& own = polls()[index];
  own.duration_and_site += record::low_field(poll.duration_and_site);
  ++own.extra;
  separate(index);
  return true;
}

void Stream::separate(std::uint32_t index) {
  const record::Record* const last = polls() + polls_ - 1;
  for (record::Record* one = polls() + index; one != last; ++one) {
    record::Record& next = *(one + 1);
    const std::uint64_t end_ns = record::end_ns(*one);
    if (record::low_field(next.begin_and_call) >= end_ns) continue;
    next.begin_and_call = record::pack_field(end_ns, record::high_field(next.begin_and_call));
  }
}

void Stream::append(record::Record record, const void* payload, std::size_t bytes) {
  const std::size_t filled = (bytes + sizeof record - 1) / sizeof record * sizeof record;
  record.bytes_and_context = record::pack_field(bytes, record::high_field(record.bytes_and_context));
  if (packer_ != nullptr) return pack_definition(record, payload);
  if (left_ < sizeof record + filled) {
    make_space(sizeof record + filled, record::low_field(record.begin_and_call));
  }
  std::vector<std::byte> whole(filled);
  std::memcpy(whole.data(), payload, bytes);
  if (left_ < sizeof record + filled) return;  // a definition is written as a whole or not at all
  put(&record, sizeof record);
  put(whole.data(), filled);
  end_polls();
}

void Stream::lengthen(std::uint64_t position, std::uint64_t by_ns) {
  record::Record record;
  if (packer_ != nullptr) return;
  if (position > this->position() || position < block_.offset + sizeof(record::BlockHeader) + sizeof record)
    return;
  std::byte* place = block_.begin + (position - block_.offset) - sizeof record;
  std::memcpy(&record, place, sizeof record);
  const std::uint64_t duration_ns = record::low_field(record.duration_and_site) + by_ns;
  record.duration_and_site = record::pack_field(duration_ns, record::high_field(record.duration_and_site));
  std::memcpy(place, &record, sizeof record);
}

void Stream::make_space(std::size_t bytes, std::uint64_t first_ns) {
  if (full_) return;
  const NotCancelled not_cancelled;
  const bool first = block_.begin == nullptr;
  end_polls();
  file_.unmap(block_);
  last_ns_ = std::max(last_ns_, first_ns);
  const bool packs = packer_ != nullptr;
  const std::uint64_t around =
      packs ? record::packed_header_bytes + polls_space : sizeof(record::BlockHeader);
  const std::uint64_t usual_bytes = file_.is_limited() ? 0 : next_bytes_;  // else all are equally long
  block_ = file_.take_block(std::max<std::uint64_t>(usual_bytes, bytes + around), thread_, last_ns_);
  next_bytes_ = std::min(2 * next_bytes_, packs ? record::max_packed_block_bytes : largest_block_bytes);
  full_ = block_.begin == nullptr;
  if (first) {
    waited_before_ns_ = waited_for_core_ns();
    since_ns_ = now_ns();
  }
  state_wait();
  at_ = full_ ? nullptr : block_.begin + (packs ? record::packed_header_bytes : sizeof(record::BlockHeader));
  left_ = full_ ? 0 : block_.bytes - around;
  use_ = 0;
  of_block_.clear();
  if (packs) packer_->begin_block();
}

void Stream::leave() {
  if (block_.begin == nullptr) return;
  end_polls();
  state_wait();
  file_.unmap(block_);
  block_ = {};
  at_ = nullptr;
  left_ = 0;
}

void Stream::state_wait() {
  constexpr std::uint64_t ms = 1'000'000;
  if (block_.begin == nullptr) return;
  const std::optional<std::uint64_t> waited_ns = waited_for_core_ns();
  if (waited_before_ns_ && waited_ns && *waited_ns >= *waited_before_ns_) {  // else what was known remains
    waited_ms_ = static_cast<std::uint32_t>((*waited_ns - *waited_before_ns_) / ms);
    of_ms_ = static_cast<std::uint32_t>((now_ns() - since_ns_) / ms);
  }
  header()->waited_ms = waited_ms_;
  header()->of_ms = of_ms_;
}

void Stream::put(const void* data, std::size_t bytes) {
  if (left_ < bytes) {
    lost_ += bytes / sizeof(record::Record);
    return;
  }
  std::memcpy(at_, data, bytes);
  at_ += bytes;
  left_ -= bytes;
  // Stored after the bytes that it counts, so that a reader after a crash finds whole records.
  std::atomic_ref<std::uint64_t>(header()->used_bytes)
      .store(header()->used_bytes + bytes, std::memory_order_release);
}

void Stream::pack(const record::Record& record) {
  if (record::high_field(record.begin_and_call) == record::definition) return append(record, nullptr, 0);
  end_polls();
  if (!has_space(record::packed::max_record_bytes, record::low_field(record.begin_and_call))) {
    ++lost_;
    return;
  }
  std::byte* const end = packer_->pack(record, at_);
  set_use(end, use_ + record::one_packed_record + static_cast<std::uint64_t>(end - at_));
}

bool Stream::is_of_block(const record::Record& definition) const {
  const bool recurs = definition.request == record::peer_bytes || definition.request == record::group;
  return recurs && file_.is_limited();
}

bool Stream::lacks(record::Defined kind, std::uint32_t number) const {
  if (!file_.is_limited()) return false;
  const std::pair<std::uint32_t, std::uint32_t> one{kind, number};
  return left_ < record_space || std::ranges::find(of_block_, one) == of_block_.end();
}

void Stream::pack_definition(const record::Record& definition, const void* payload) {
  const bool of_block = is_of_block(definition);
  const bool is_elsewhere = file_.is_limited() && thread_ != record::definitions_thread;
  if (is_elsewhere && !of_block) return file_.define(definition, payload);
  end_polls();
  const std::uint64_t bytes = record::low_field(definition.bytes_and_context);
  const std::uint64_t space = record::RecordPacker::max_definition_bytes(bytes);
  if (!has_space(of_block ? space + record_space : space, 0)) {
    ++lost_;
    return;
  }
  if (of_block) of_block_.emplace_back(definition.request, static_cast<std::uint32_t>(definition.peer));
  std::byte* const end = record::RecordPacker::pack_definition(definition, payload, at_);
  set_use(end, use_ + static_cast<std::uint64_t>(end - at_));
}

void Stream::open_poll(const record::Record& poll) {
  if (polls_ == 0 && !has_space(record::packed::max_record_bytes, record::low_field(poll.begin_and_call))) {
    ++lost_;
    return;
  }
  polls()[polls_++] = poll;
  set_use(at_, use_ + record::one_open_poll);
}

void Stream::pack_polls() {
  std::byte* end = at_;
  for (std::uint32_t index = 0; index < polls_; ++index) end = packer_->pack(polls()[index], end);
  const auto bytes = static_cast<std::uint64_t>(end - at_);
  left_ = std::max(left_, bytes);  // they may use the space that is kept for them
  set_use(end, use_ + bytes + polls_ * (record::one_packed_record - record::one_open_poll));
}

bool Stream::has_space(std::size_t bytes, std::uint64_t first_ns) {
  if (left_ < bytes) make_space(bytes, first_ns);
  return left_ >= bytes;
}

void Stream::set_use(std::byte* end, std::uint64_t use) {
  left_ -= static_cast<std::uint64_t>(end - at_);
  at_ = end;
  use_ = use;
  // Stored after the bytes that it counts, so that a reader after a crash finds whole records.
  std::atomic_ref<std::uint64_t>(header()->used_bytes).store(use, std::memory_order_release);
}

}  // namespace stretto::trace
