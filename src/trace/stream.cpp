// SPDX-License-Identifier: BSD-3-Clause
#include "trace/stream.hpp"

#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <numeric>

#include "trace/core_wait.hpp"

namespace stretto::trace {
namespace {

constexpr int populate_write = 23;  // MADV_POPULATE_WRITE: Linux 5.14, headers of 2022
constexpr std::uint64_t largest_block_bytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t largest_packed_block_bytes = std::uint64_t{1} << 18U;
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

bool write_all(int descriptor, const void* data, std::size_t bytes, std::uint64_t offset) {
  const auto* at = static_cast<const std::byte*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor, at, bytes, static_cast<off_t>(offset));
    if (written <= 0) return false;
    at += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

std::uint64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

TraceFile::TraceFile() = default;
TraceFile::~TraceFile() = default;

bool TraceFile::open(const std::string& path, record::TraceHeader header, const std::string& text,
                     const std::optional<record::LimitedSize>& size) {
  if (!file_.open(path)) return false;
  // A process that maps the file would die from its truncation. Such is the parent of a spawned program that
  // has sessions only, and therefore the same file names. File systems without locks are not checked.
  const bool locked = ::flock(file_.descriptor(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (!locked) errno = EBUSY;
  if (locked && begin(header, text, size)) return true;
  const int why = errno;
  if (locked) file_.remove();  // nothing could be read from it
  close();
  errno = why;
  return false;
}

bool TraceFile::begin(record::TraceHeader header, const std::string& text,
                      const std::optional<record::LimitedSize>& size) {
  const int descriptor = file_.descriptor();
  const NoSizeSignal none;
  if (::ftruncate(descriptor, 0) != 0) return false;
  packed_ = header.major >= record::packed_major;
  epoch_ns_ = header.epoch_ns;
  if (size) {
    ring_ = std::make_unique<BlockRing>(*size);
    definitions_ = std::make_unique<Stream>(*this, record::definitions_thread);
  }
  header.text_bytes = static_cast<std::uint32_t>(text.size());
  end_ = record::whole_pages(sizeof header + text.size());
  header.header_bytes = static_cast<std::uint32_t>(end_);
  return write_all(descriptor, &header, sizeof header, 0) &&
         write_all(descriptor, text.data(), text.size(), sizeof header) &&
         ::ftruncate(descriptor, static_cast<off_t>(end_)) == 0;
}

TraceFile::Block TraceFile::take_block(std::uint64_t bytes, std::uint32_t thread, std::uint64_t first_ns) {
  const std::scoped_lock lock(mutex_);
  Block block;
  block.bytes = record::whole_pages(bytes);
  const int descriptor = file_.descriptor();
  if (descriptor < 0) return {};
  const bool is_kept = thread == record::definitions_thread;
  block.offset = place_for(block, is_kept);
  if (block.offset == 0) return {};
  const NoSizeSignal none;
  const auto offset = static_cast<off_t>(block.offset);
  // Space is allocated now: on a full disk the application would otherwise get a SIGBUS.
  if (::posix_fallocate(descriptor, offset, static_cast<off_t>(block.bytes)) != 0) return {};
  void* memory = ::mmap(nullptr, block.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset);
  if (memory == MAP_FAILED) return {};
  // Makes all pages writable at once: MAP_POPULATE maps a shared file's pages for reading only, and every
  // first store would still fault. On a kernel that refuses, they fault one by one.
  ::madvise(memory, block.bytes, populate_write);
  end_ = std::max(end_, block.offset + block.bytes);
  block.begin = static_cast<std::byte*>(memory);
  record::BlockHeader header;
  header.thread = thread;
  header.block_bytes = block.bytes;
  header.first_ns = first_ns;
  std::memcpy(block.begin, &header, sizeof header);
  const record::BlockIndex entry{
      .offset = block.offset, .first_ns = first_ns, .records = 0, .thread = thread};
  if (ring_ != nullptr) {
    ring_->add(entry, is_kept);
  } else {
    index_.push_back(entry);
  }
  return block;
}

std::uint64_t TraceFile::place_for(Block& block, bool is_kept) {
  if (ring_ == nullptr) return end_;
  block.bytes = std::max(block.bytes, ring_->block_bytes());
  if (end_ + block.bytes <= ring_->file_bytes()) return end_;
  const bool fits = block.bytes == ring_->block_bytes();
  const std::optional<std::uint64_t> place = fits ? ring_->drop_oldest() : std::nullopt;
  if (place && !has_dropped_) {
    has_dropped_ = true;  // said in the file before it happens, for readers after a crash
    const std::uint16_t minor = record::dropped_minor;
    (void)write_all(file_.descriptor(), &minor, sizeof minor, offsetof(record::TraceHeader, minor));
  }
  // Without its definitions nothing that is kept could be read.
  return place.value_or(is_kept ? end_ : 0);
}

std::uint64_t TraceFile::since_epoch_ns() const {
  constexpr std::uint64_t clock_error_ns = 1000;  // of the time stamp counter, by which calls are timed
  const std::uint64_t now = now_ns() + clock_error_ns;
  return now > epoch_ns_ ? now - epoch_ns_ : 0;
}

void TraceFile::unmap(const Block& block) {
  if (block.begin == nullptr) return;
  ::munmap(block.begin, block.bytes);
  if (ring_ == nullptr) return;
  const std::scoped_lock lock(mutex_);
  ring_->release(block.offset, since_epoch_ns());
}

void TraceFile::define(const record::Record& definition, const void* payload) {
  const std::scoped_lock lock(defining_);
  definitions_->append(definition, payload, record::low_field(definition.bytes_and_context));
}

void TraceFile::finish(std::uint64_t end_ns, std::uint64_t lost) {
  const std::scoped_lock lock(mutex_);
  record::TraceTrailer trailer;
  const int descriptor = file_.descriptor();
  if (descriptor < 0) return;
  std::vector<record::BlockIndex> index = ring_ != nullptr ? ring_->index() : index_;
  for (record::BlockIndex& block : index) {
    if (block.offset == 0) continue;  // what a limited file says of the blocks that it dropped
    record::BlockHeader header;
    const ssize_t got = ::pread(descriptor, &header, sizeof header, static_cast<off_t>(block.offset));
    if (got != static_cast<ssize_t>(sizeof header)) return;  // without a trailer, readers scan the blocks
    const record::PackedUse use = record::packed_use(header.used_bytes);
    block.records =
        static_cast<std::uint32_t>(packed_ ? use.records + use.polls : use.bytes / sizeof(record::Record));
    trailer.records += block.records;
  }
  const NoSizeSignal none;
  trailer.blocks = index.size();
  trailer.index_offset = end_;
  trailer.end_ns = end_ns;
  trailer.lost = lost + (definitions_ != nullptr ? definitions_->lost() : 0);
  const std::size_t index_bytes = index.size() * sizeof index[0];
  if (write_all(descriptor, index.data(), index_bytes, end_)) {
    (void)write_all(descriptor, &trailer, sizeof trailer, end_ + index_bytes);
  }
}

void TraceFile::remove_trailer() {
  const std::scoped_lock lock(mutex_);
  if (const int descriptor = file_.descriptor(); descriptor >= 0) {
    (void)::ftruncate(descriptor, static_cast<off_t>(end_));
  }
}

void TraceFile::close() { file_.close(); }

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
  const std::uint64_t end_ns =
      record::low_field(poll.begin_and_call) + record::low_field(poll.duration_and_site);
  if (end_ns - record::low_field(polls()->begin_and_call) > poll_span_ns) {
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
    const std::uint64_t end_ns =
        record::low_field(one->begin_and_call) + record::low_field(one->duration_and_site);
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
  const bool first = block_.begin == nullptr;
  end_polls();
  file_.unmap(block_);
  last_ns_ = std::max(last_ns_, first_ns);
  const bool packs = packer_ != nullptr;
  const std::uint64_t around =
      packs ? record::packed_header_bytes + polls_space : sizeof(record::BlockHeader);
  const std::uint64_t usual_bytes = file_.is_limited() ? 0 : next_bytes_;  // else all are equally long
  block_ = file_.take_block(std::max<std::uint64_t>(usual_bytes, bytes + around), thread_, last_ns_);
  next_bytes_ = std::min(2 * next_bytes_, packs ? largest_packed_block_bytes : largest_block_bytes);
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
  return left_ < record_space || std::find(of_block_.begin(), of_block_.end(), one) == of_block_.end();
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
