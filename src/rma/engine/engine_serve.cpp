// SPDX-License-Identifier: BSD-3-Clause
// The target's side of the engine: requests of others are served in the order in which each of them sent.
#include <algorithm>
#include <stretto/error.hpp>
#include <string>

#include "mpi/check.hpp"
#include "rma/engine/engine.hpp"
#include "rma/memory/memory_operations.hpp"

namespace stretto::rma {

// MPI says which receive is complete, not in which order they were sent: sequence numbers do.
bool Engine::serve() {
  bool moved = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < arrived_.size();) {
      Arrival& arrival = arrived_[i];
      std::uint64_t& next = next_served_[static_cast<std::size_t>(arrival.source)];
      const std::size_t served_before = arrival.served_bytes;
      if (arrival.header.sequence != next || !serve_packet(arrival)) {
        moved = moved || arrival.served_bytes != served_before;
        ++i;
        continue;
      }
      ++next;
      post_receive(arrival.slot);
      arrived_.erase(arrived_.begin() + static_cast<std::ptrdiff_t>(i));
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

/// For a buffer for the reply, for the helper, who is not to send more, or for announced data to land, which
/// what comes after its operation must not overtake.
bool Engine::must_wait(const Arrival& arrival) const {
  const PacketHeader& header = arrival.header;
  if (is_replied_to(header.kind) && (replies_out_.is_empty() || moved_bytes_ >= most_bytes_)) return true;
  return header.continues == 0 && to_land_[static_cast<std::size_t>(arrival.source)] > 0;
}

/// False where it must wait.
bool Engine::serve_packet(Arrival& arrival) {
  const PacketHeader& header = arrival.header;
  if (must_wait(arrival)) return false;
  const std::span<const std::byte> packet{incoming_.buffer(arrival.slot), arrival.length};
  switch (header.kind) {
    case PacketKind::get:
      return serve_get(arrival, packet);
    case PacketKind::announced:
      return serve_announced(arrival, packet);
    case PacketKind::put:
    case PacketKind::accumulate:
      serve_blocks(packet, header);
      break;
    case PacketKind::fence:
      reply(arrival.source, reply_tag(header.apart_number), replies_out_.take(), nullptr, 0);
      break;
    case PacketKind::atomic: {
      const PacketAtomic& atomic = header.atomic;
      const std::uint64_t before =
          update(memory(atomic.region, atomic.offset, atomic.size_bytes), atomic.operation, atomic.operand,
                 atomic.expected, atomic.size_bytes);
      const int slot = replies_out_.take();
      std::memcpy(replies_out_.buffer(slot), &before, sizeof before);
      reply(arrival.source, reply_tag(header.apart_number), slot, replies_out_.buffer(slot), sizeof before);
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

/// The place of what comes apart, where it is one block, or nullptr.
std::byte* Engine::only_block(const PacketHeader& header, std::span<const std::byte> packet) const {
  std::byte* block = nullptr;
  for_each_run(packet, [&](std::uint32_t region, const PacketRun& run, const std::byte*) {
    if (run.size_bytes == header.apart_bytes) block = memory(region, run.offset, run.size_bytes);
  });
  return block;
}

// One block leaves from where it is; several are gathered in the slot's buffer.
bool Engine::serve_get(Arrival& arrival, std::span<const std::byte> packet) {
  if (const std::byte* const block = only_block(arrival.header, packet)) return serve_block(arrival, block);
  const int slot = replies_out_.take();
  std::byte* const buffer = replies_out_.buffer(slot);
  std::size_t gathered = 0;
  for_each_run(packet, [&](std::uint32_t region, const PacketRun& run, const std::byte*) {
    const std::size_t size = run.size_bytes;
    const std::byte* const place = memory(region, run.offset, (run.count - 1) * run.stride + size);
    copy_blocks(buffer + gathered, size, place, run.stride, size, run.count);
    gathered += size * run.count;
  });
  reply(arrival.source, reply_tag(arrival.header.apart_number), slot, buffer, gathered);
  return true;
}

bool Engine::serve_block(Arrival& arrival, const std::byte* block) {
  const PacketHeader& header = arrival.header;
  std::size_t& done = arrival.served_bytes;
  while (done < header.apart_bytes) {
    if (replies_out_.is_empty() || moved_bytes_ >= most_bytes_) return false;
    const std::size_t size = std::min<std::size_t>(header.segment_bytes, header.apart_bytes - done);
    reply(arrival.source, reply_tag(number_at(header, done)), replies_out_.take(), block + done, size);
    done += size;
  }
  return true;
}

/// The receives of what follows, each in its place.
bool Engine::serve_announced(Arrival& arrival, std::span<const std::byte> packet) {
  const PacketHeader& header = arrival.header;
  std::byte* const block = only_block(header, packet);
  std::size_t& done = arrival.served_bytes;
  while (done < header.apart_bytes) {
    if (landing_.is_empty()) return false;
    const int slot = landing_.take();
    lands_from_[static_cast<std::size_t>(slot)] = arrival.source;
    ++to_land_[static_cast<std::size_t>(arrival.source)];
    mpi::check(MPI_Irecv(block + done, static_cast<int>(header.segment_bytes), MPI_BYTE, arrival.source,
                         data_tag(number_at(header, done)), replies_communicator_.get(),
                         &requests_[landing_.request(slot)]),
               "MPI_Irecv");
    done += header.segment_bytes;
  }
  return true;
}

void Engine::reply(int source, int tag, int slot, const std::byte* data, std::size_t size_bytes) {
  moved_bytes_ += size_bytes;
  mpi::check(MPI_Isend(data, static_cast<int>(size_bytes), MPI_BYTE, source, tag, replies_communicator_.get(),
                       &requests_[replies_out_.request(slot)]),
             "MPI_Isend");
}

}  // namespace stretto::rma
