// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/engine/packet.hpp"

#include <algorithm>
#include <limits>

#include "onesided/memory/memory_operations.hpp"

namespace stretto::onesided {

PacketWriter::PacketWriter(std::byte* buffer, std::size_t capacity, PacketKind kind,
                           std::size_t detached_limit)
    : buffer_(buffer), capacity_(capacity), kind_(kind), detached_limit_(detached_limit) {}

void PacketWriter::write_run() {
  if (buffer_ != nullptr && run_place_ > 0) std::memcpy(buffer_ + run_place_, &run_, sizeof run_);
}

bool PacketWriter::extends_run(const Piece& piece) const {
  if (run_.count == 0 || piece.region != region_ || piece.size_bytes != run_.size_bytes) return false;
  if (run_.count == 1) return piece.offset > run_.offset;
  return piece.offset == run_.offset + run_.count * run_.stride;
}

void PacketWriter::append(const Piece& piece, std::size_t size_bytes) {
  if (!carries_data()) {
    detached_bytes_ += size_bytes;
    return;
  }
  if (buffer_ != nullptr) copy_bytes(buffer_ + used_, piece.local, size_bytes);
  used_ += size_bytes;
  data_bytes_ += size_bytes;
}

bool PacketWriter::add_to_run(const Piece& piece) {
  const std::size_t available = carries_data() ? capacity_ - used_ : detached_limit_ - detached_bytes_;
  if (piece.size_bytes > available) return false;
  if (run_.count == 1) run_.stride = piece.offset - run_.offset;
  ++run_.count;
  append(piece, piece.size_bytes);
  return true;
}

std::size_t PacketWriter::add(const Piece& piece, std::size_t granule) {
  if (extends_run(piece) && add_to_run(piece)) return piece.size_bytes;
  // The block begins a run of its own, and is cut where it does not fit.
  const std::size_t needed = used_ + (piece.region == region_ ? 1 : 2) * sizeof(PacketRun);
  if (needed > capacity_) return 0;
  std::size_t available = carries_data() ? capacity_ - needed : detached_limit_ - detached_bytes_;
  available = std::min(available, std::size_t{std::numeric_limits<std::uint32_t>::max()});
  std::size_t taken = std::min(piece.size_bytes, available);
  if (taken < piece.size_bytes) taken -= taken % granule;
  if (taken == 0) return 0;
  if (piece.region != region_) {
    begin_run({.offset = piece.region});
    region_ = piece.region;
  }
  begin_run({.offset = piece.offset, .size_bytes = static_cast<std::uint32_t>(taken), .count = 1});
  append(piece, taken);
  return taken;
}

void PacketWriter::begin_run(const PacketRun& run) {
  write_run();
  run_ = run;
  run_place_ = used_;
  used_ += sizeof run_;
}

void PacketWriter::continue_from(const PacketWriter& other) {
  std::byte* const buffer = buffer_;
  *this = other;
  buffer_ = buffer;
  std::memcpy(buffer_, other.buffer_, used_);
}

std::size_t PacketWriter::finish(PacketHeader header) {
  write_run();
  header.kind = kind_;
  header.detached_bytes = static_cast<std::uint32_t>(detached_bytes_);
  if (buffer_ != nullptr) std::memcpy(buffer_, &header, sizeof header);
  return used_;
}

PacketHeader read_header(const std::byte* packet) {
  PacketHeader header;
  std::memcpy(&header, packet, sizeof header);
  return header;
}

}  // namespace stretto::onesided
