// SPDX-License-Identifier: BSD-3-Clause
#include "rma/execute.hpp"

#include <stretto/error.hpp>
#include <string>
#include <utility>

#include "rma/memory_operations.hpp"
#include "rma/region_state.hpp"

namespace stretto::rma {
namespace {

/// What has been started, and how it is completed.
struct Started {
  Path path = Path::direct;
  std::uint64_t ticket = 0;
  std::shared_ptr<Operation> operation;
};

void do_directly(const Transfer& transfer, const RegionState& region) {
  std::byte* const target = region.memory->neighbour(transfer.target);
  switch (transfer.kind) {
    case Kind::get:
      transfer.layout.for_each_row([&](const Row& row) {
        copy_blocks(row.first.local, row.local_stride, target + row.first.offset, row.remote_stride,
                    row.first.size_bytes, row.count);
      });
      break;
    case Kind::accumulate:
      transfer.layout.for_each([&](const Piece& piece) {
        rma::accumulate(target + piece.offset, piece.local, piece.size_bytes, transfer.scale);
      });
      break;
    default:
      transfer.layout.for_each_row([&](const Row& row) {
        copy_blocks(target + row.first.offset, row.remote_stride, row.first.local, row.local_stride,
                    row.first.size_bytes, row.count);
      });
  }
  std::atomic_thread_fence(std::memory_order_acq_rel);
  if (transfer.flag.region != no_region) {
    raise_flag(target + transfer.flag.offset, transfer.flag.value, transfer.flag.add != 0,
               transfer.flag.size_bytes);
  }
}

std::uint64_t start_in_window(const Transfer& transfer, RegionState& region) {
  std::uint64_t ticket = 0;
  transfer.layout.for_each([&](const Piece& piece) {
    ticket = transfer.kind == Kind::get ? region.start_get(transfer.target, piece)
                                        : region.start_put(transfer.target, piece);
  });
  return ticket;
}

std::shared_ptr<Operation> start_message(Transfer& transfer, RegionState& region) {
  const PacketKind kind = transfer.kind == Kind::get          ? PacketKind::get
                          : transfer.kind == Kind::accumulate ? PacketKind::accumulate
                                                              : PacketKind::put;
  auto operation =
      std::make_shared<Operation>(kind, region.runtime_rank(transfer.target), std::move(transfer.layout));
  operation->scale = transfer.scale;
  operation->flag = transfer.flag;
  if (operation->cursor.done() && operation->flag.region == no_region) {
    operation->done = true;  // without bytes nothing leaves
  } else {
    region.state().start(operation);
  }
  return operation;
}

Started begin(Transfer& transfer, RegionState& region) {
  check_transfer(transfer);
  State& state = region.state();
  const int rank = region.runtime_rank(transfer.target);
  const Path path =
      choose_path(state.rules, {.kind = transfer.kind,
                                .contiguous = transfer.layout.is_contiguous(),
                                .flagged = transfer.flag.region != no_region,
                                .neighbour = region.memory->neighbour(transfer.target) != nullptr});
  state.order(rank, path, transfer.kind != Kind::get);
  state.counters.operation(rank, path, transfer.layout.size_bytes());
  Started started{.path = path};
  if (path == Path::direct) {
    do_directly(transfer, region);
    return started;
  }
  if (path == Path::rma) {
    started.ticket = start_in_window(transfer, region);
  } else {
    started.operation = start_message(transfer, region);
  }
  state.unfenced_to(rank).beyond_stores.count();
  return started;
}

/// A place in a neighbour's memory that may be touched by loads and stores at once, or nullptr.
std::byte* direct_place(const RegionState& region, Place place, const std::byte* local,
                        std::size_t size_bytes) {
  const State& state = region.state();
  if (region.freed || state.finalized || (state.rules.forced && state.rules.forced != Path::direct)) {
    return nullptr;
  }
  if (place.target < 0 || static_cast<std::size_t>(place.target) >= region.team->ranks.size()) return nullptr;
  const std::size_t size = region.memory->size_bytes(place.target);
  if (size_bytes == 0 || place.offset > size || size_bytes > size - place.offset) return nullptr;
  std::byte* const part = region.memory->neighbour(place.target);
  if (part == nullptr) return nullptr;
  std::byte* const there = part + place.offset;
  return apart(there, local, size_bytes) ? there : nullptr;
}

void check_elements(const Transfer& transfer) {
  const std::size_t size = size_of(transfer.scale.type);
  const std::size_t part = std::min(size, std::size_t{8});  // the parts of a complex number are updated apart
  transfer.layout.for_each([&](const Piece& piece) {
    check_aligned(piece.offset, part);
    if (piece.size_bytes % size != 0) {
      throw ArgumentError("source", "a block of " + std::to_string(piece.size_bytes) +
                                        " bytes is not made of elements of " + std::to_string(size));
    }
  });
}

void check_flag(const Transfer& transfer, const RegionState& region) {
  const std::size_t flag_bytes = transfer.flag.size_bytes;
  check_aligned(transfer.flag.offset, flag_bytes);
  if (transfer.flag.offset > SIZE_MAX - flag_bytes) throw ArgumentError("flag", "is out of range");
  const std::size_t end = transfer.flag.offset + flag_bytes;
  const std::size_t size = region.memory->size_bytes(transfer.target);
  if (end > size) {
    throw ArgumentError("flag", "reaches to byte " + std::to_string(end) + " of the " + std::to_string(size) +
                                    " that rank " + std::to_string(transfer.target) + " has");
  }
  transfer.layout.for_each([&](const Piece& piece) {
    if (piece.offset < end && transfer.flag.offset < piece.offset + piece.size_bytes) {
      throw ArgumentError("flag", "overlaps the data that it is to announce");
    }
  });
}

}  // namespace

void check_aligned(std::size_t offset, std::size_t size_bytes) {
  if (offset % size_bytes == 0) return;
  throw ArgumentError("place", "offset " + std::to_string(offset) + " is not a multiple of " +
                                   std::to_string(size_bytes) + ", which updates of this type need");
}

void check_transfer(const Transfer& transfer) {
  const RegionState& region = *transfer.region.state();
  region.check_range(transfer.target, transfer.layout.remote_end());
  if (transfer.kind == Kind::accumulate) check_elements(transfer);
  if (transfer.flag.region != no_region) check_flag(transfer, region);
  const std::byte* there = region.memory->neighbour(transfer.target);
  if (there != nullptr && transfer.layout.size_bytes() > 0 && transfer.layout.overlaps(there)) {
    throw ArgumentError(transfer.kind == Kind::get ? "sink" : "source",
                        "overlaps the place in the region that the data moves to or from");
  }
}

// Small transfers take some tens of nanoseconds: a layout or a lock would be most of that. Where they can be
// done at all, nothing goes to this target by another path that they might overtake.
bool store_directly(const Region& region, Place place, Source source) {
  RegionState& own = *region.state();
  std::byte* const there = direct_place(own, place, source.data, source.size_bytes);
  if (there == nullptr) return false;
  State& state = own.state();
  copy_bytes(there, source.data, source.size_bytes);
  std::atomic_thread_fence(std::memory_order_acq_rel);
  stores_unfenced = true;
  state.counters.operation(own.runtime_rank(place.target), Path::direct, source.size_bytes);
  state.poll_in_passing();
  return true;
}

bool load_directly(const Region& region, Place place, Sink sink) {
  RegionState& own = *region.state();
  const std::byte* const there = direct_place(own, place, sink.data, sink.size_bytes);
  if (there == nullptr) return false;
  State& state = own.state();
  settle_stores();
  copy_bytes(sink.data, there, sink.size_bytes);
  std::atomic_thread_fence(std::memory_order_acq_rel);
  state.counters.operation(own.runtime_rank(place.target), Path::direct, sink.size_bytes);
  state.poll_in_passing();
  return true;
}

void run(Transfer&& transfer) {
  RegionState& region = *transfer.region.state();
  const bool stores = transfer.kind != Kind::get;
  Started started = begin(transfer, region);
  State& state = region.state();
  const int rank = region.runtime_rank(transfer.target);
  if (started.path == Path::rma) region.complete_locally(transfer.target, started.ticket);
  if (started.path == Path::message)
    state.await(*started.operation, stores ? "a put by message" : "a get by message");
  if (stores) state.stored(rank, started.path);
  state.poll_in_passing();
}

Handle start(Transfer&& transfer) {
  const std::shared_ptr<RegionState>& region = transfer.region.state();
  Started started = begin(transfer, *region);
  region->state().poll_in_passing();
  return HandleAccess::make(region, transfer.target, started.path, started.ticket,
                            std::move(started.operation));
}

void start_implicit(Transfer&& transfer) {
  RegionState& region = *transfer.region.state();
  Started started = begin(transfer, region);
  State& state = region.state();
  if (started.operation != nullptr && !started.operation->done) {
    const std::lock_guard lock(state.lists_mutex);
    auto& pool = state.implicit[static_cast<std::size_t>(started.operation->target)];
    // Those that are done leave room, now and then: any number may be under way.
    if (pool.size() >= 64 && (pool.size() & (pool.size() - 1)) == 0) {
      std::erase_if(pool, [](const auto& one) { return one->done.load(); });
    }
    pool.push_back(std::move(started.operation));
  }
  state.poll_in_passing();
}

}  // namespace stretto::rma
