// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace_file.hpp"

#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "trace/stream.hpp"

namespace stretto::trace {
namespace {

constexpr int populate_write = 23;  // MADV_POPULATE_WRITE: Linux 5.14, headers of 2022

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

TraceFile::TraceFile() = default;
TraceFile::~TraceFile() = default;

bool TraceFile::open(const std::string& path, record::TraceHeader header, const std::string& text,
                     const std::optional<record::LimitedSize>& size) {
  if (!file_.open(path)) return false;
  // A process that maps the file would die from its truncation, and lose its records. Such is the parent of a
  // spawned program that has sessions only, and a rank that starts another program of MPI: its blocks stay
  // mapped after MPI_Finalize, which keeps the lock until it ends. File systems without locks are not
  // checked.
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

}  // namespace stretto::trace
