// SPDX-License-Identifier: BSD-3-Clause
// The target's side of the engine: requests of others are served in the order in which each of them sent.
#include <stretto/error.hpp>
#include <string>

#include "mpi/check.hpp"
#include "rma/engine.hpp"
#include "rma/memory_operations.hpp"

namespace stretto::rma {

// MPI says which receive is complete, not in which order they were sent: sequence numbers do.
bool Engine::serve() {
  bool moved = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < arrived_.size();) {
      const Arrival arrival = arrived_[i];
      std::uint64_t& next = next_served_[static_cast<std::size_t>(arrival.source)];
      if (arrival.header.sequence != next || !serve_packet(arrival)) {
        ++i;
        continue;
      }
      ++next;
      arrived_.erase(arrived_.begin() + static_cast<std::ptrdiff_t>(i));
      post_receive(arrival.slot);
      again = moved = true;
    }
  }
  return moved;
}

std::byte* Engine::memory(std::uint32_t region, std::uint64_t offset, std::size_t size_bytes) const {
  const auto found = regions_.find(region);
  if (found == regions_.end() || offset > found->second.size() ||
      size_bytes > found->second.size() - offset) {
    throw Error("rank " + std::to_string(requests_communicator_.rank()) + " was asked for region " +
                std::to_string(region) + ", bytes " + std::to_string(offset) + " and " +
                std::to_string(size_bytes) + " further, which it does not have");
  }
  return found->second.data() + offset;
}

/// False where a reply needs a buffer and none is free: the request waits.
bool Engine::serve_packet(const Arrival& arrival) {
  const PacketHeader& header = arrival.header;
  if (header.reply_tag >= 0 && replies_out_.is_empty()) return false;
  const std::span<const std::byte> packet{incoming_.buffer(arrival.slot), arrival.length};
  switch (header.kind) {
    case PacketKind::get:
      return serve_get(arrival, packet);
    case PacketKind::put:
    case PacketKind::accumulate:
      serve_blocks(packet, header);
      break;
    case PacketKind::fence:
      reply(arrival.source, header.reply_tag, replies_out_.take(), nullptr, 0);
      break;
    case PacketKind::atomic: {
      const PacketAtomic& atomic = header.atomic;
      const std::uint64_t before =
          update(memory(atomic.region, atomic.offset, atomic.size_bytes), atomic.operation, atomic.operand,
                 atomic.expected, atomic.size_bytes);
      const int slot = replies_out_.take();
      std::memcpy(replies_out_.buffer(slot), &before, sizeof before);
      reply(arrival.source, header.reply_tag, slot, replies_out_.buffer(slot), sizeof before);
    }
  }
  return true;
}

void Engine::serve_blocks(std::span<const std::byte> packet, const PacketHeader& header) {
  const bool adds = header.kind == PacketKind::accumulate;
  for_each_run(packet, [&](std::uint32_t region, const PacketRun& run, const std::byte* data) {
    const std::size_t size = run.size_bytes;
    std::byte* const place = memory(region, run.offset, (run.count - 1) * run.stride + size);
    if (adds) {
      for (std::uint32_t i = 0; i < run.count; ++i) {
        rma::accumulate(place + i * run.stride, data + i * size, size, header.scale);
      }
    } else {
      copy_blocks(place, run.stride, data, size, size, run.count);
    }
  });
  if (header.flag.region != no_region) {
    const PacketFlag& flag = header.flag;
    raise_flag(memory(flag.region, flag.offset, flag.size_bytes), flag.value, flag.add != 0, flag.size_bytes);
  }
}

// One block leaves from where it is; several are gathered in the slot's buffer.
bool Engine::serve_get(const Arrival& arrival, std::span<const std::byte> packet) {
  const int slot = replies_out_.take();
  std::byte* const buffer = replies_out_.buffer(slot);
  const std::byte* data = buffer;
  std::size_t gathered = 0;
  for_each_run(packet, [&](std::uint32_t region, const PacketRun& run, const std::byte*) {
    const std::size_t size = run.size_bytes;
    const std::byte* const place = memory(region, run.offset, (run.count - 1) * run.stride + size);
    if (size == arrival.header.reply_bytes) {
      data = place;
    } else {
      copy_blocks(buffer + gathered, size, place, run.stride, size, run.count);
    }
    gathered += size * run.count;
  });
  reply(arrival.source, arrival.header.reply_tag, slot, data, gathered);
  return true;
}

void Engine::reply(int source, int tag, int slot, const std::byte* data, std::size_t size_bytes) {
  moved_bytes_ += size_bytes;
  mpi::check(MPI_Isend(data, static_cast<int>(size_bytes), MPI_BYTE, source, tag, replies_communicator_.get(),
                       &requests_[replies_out_.request(slot)]),
             "MPI_Isend");
}

}  // namespace stretto::rma
