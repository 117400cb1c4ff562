// SPDX-License-Identifier: BSD-3-Clause
#include "rma/packet.hpp"

#include <algorithm>
#include <limits>

namespace stretto::rma {

PacketWriter::PacketWriter(std::byte* buffer, std::size_t capacity, PacketKind kind, std::size_t reply_limit)
    : buffer_(buffer), capacity_(capacity), kind_(kind), reply_limit_(reply_limit) {}

void PacketWriter::write_run() {
  if (buffer_ != nullptr) std::memcpy(buffer_ + run_place_, &run_, sizeof run_);
}

bool PacketWriter::extends_run(const Piece& piece) const {
  if (run_.count == 0 || piece.region != region_ || piece.size_bytes != run_.size_bytes) return false;
  if (run_.count == 1) return piece.offset > run_.offset;
  return piece.offset == run_.offset + run_.count * run_.stride;
}

std::size_t PacketWriter::add(const Piece& piece, std::size_t granule) {
  const bool get = kind_ == PacketKind::get;
  const bool extends = extends_run(piece);
  const std::size_t heads = extends ? 0 : piece.region == region_ ? 1 : 2;
  const std::size_t needed = used_ + heads * sizeof(PacketRun);
  if (needed > capacity_) return 0;
  std::size_t room = get ? reply_limit_ - reply_bytes_ : capacity_ - needed;
  room = std::min(room, std::size_t{std::numeric_limits<std::uint32_t>::max()});
  std::size_t taken = std::min(piece.size_bytes, room);
  if (taken < piece.size_bytes) {
    taken -= taken % granule;
    if (taken == 0) return 0;
    // A block that is cut does not fit a run of whole ones; its own header needs room, too.
    if (extends) {
      if (used_ + sizeof(PacketRun) + granule > capacity_) return 0;
      if (!get) taken = std::min(taken, capacity_ - used_ - sizeof(PacketRun));
      taken -= taken % granule;
    }
  }
  if (extends && taken == piece.size_bytes) {
    if (run_.count == 1) run_.stride = piece.offset - run_.offset;
    ++run_.count;
  } else {
    if (piece.region != region_) {
      region_ = piece.region;
      run_ = {.offset = piece.region};
      run_place_ = used_;
      write_run();
      used_ += sizeof run_;
    }
    run_ = {.offset = piece.offset, .size_bytes = static_cast<std::uint32_t>(taken), .count = 1};
    run_place_ = used_;
    used_ += sizeof run_;
  }
  write_run();
  if (get) {
    reply_bytes_ += taken;
  } else {
    if (buffer_ != nullptr) std::memcpy(buffer_ + used_, piece.local, taken);
    used_ += taken;
  }
  return taken;
}

std::size_t PacketWriter::finish(PacketHeader header) {
  header.kind = kind_;
  header.reply_bytes = static_cast<std::uint32_t>(reply_bytes_);
  if (buffer_ != nullptr) std::memcpy(buffer_, &header, sizeof header);
  return used_;
}

PacketHeader read_header(const std::byte* packet) {
  PacketHeader header;
  std::memcpy(&header, packet, sizeof header);
  return header;
}

}  // namespace stretto::rma
