// SPDX-License-Identifier: BSD-3-Clause
#include "rma/path/execute.hpp"

#include <utility>

#include "rma/api/check_arguments.hpp"
#include "rma/api/handle_access.hpp"
#include "rma/memory/memory_operations.hpp"
#include "rma/memory/region_state.hpp"
#include "rma/path/direct.hpp"

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

void do_directly(const Block& block, const RegionState& region) {
  if (block.piece.size_bytes == 0) return;  // then the places may be nullptr
  copy_piece(block.kind, block.piece, region.memory->neighbour(block.target));
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

std::uint64_t start_in_window(const Transfer& transfer, RegionState& region) {
  std::uint64_t ticket = 0;
  transfer.layout.for_each(
      [&](const Piece& piece) { ticket = region.start(transfer.kind, transfer.target, piece); });
  return ticket;
}

std::uint64_t start_in_window(const Block& block, RegionState& region) {
  if (block.piece.size_bytes == 0) return 0;
  return region.start(block.kind, block.target, block.piece);
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

std::shared_ptr<Operation> start_message(const Block& block, RegionState& region) {
  Piece piece = block.piece;
  piece.region = region.id;
  Transfer transfer{.kind = block.kind,
                    .region = block.region,
                    .target = block.target,
                    .layout = Layout::contiguous(piece)};
  return start_message(transfer, region);
}

PathQuestion question(const Transfer& transfer, bool neighbour) {
  return {.kind = transfer.kind,
          .contiguous = transfer.layout.is_contiguous(),
          .flagged = transfer.flag.region != no_region,
          .neighbour = neighbour};
}

PathQuestion question(const Block& block, bool neighbour) {
  return {.kind = block.kind, .neighbour = neighbour};
}

std::size_t size_bytes(const Transfer& transfer) { return transfer.layout.size_bytes(); }
std::size_t size_bytes(const Block& block) { return block.piece.size_bytes; }

/// `Work`: a Transfer or a Block.
template <typename Work>
Started begin(Work& work, RegionState& region) {
  check_arguments(work);
  State& state = region.state();
  const int rank = region.runtime_rank(work.target);
  const bool neighbour = region.memory->neighbour(work.target) != nullptr;
  const bool stores = work.kind != Kind::get;
  Started started{.path = choose_path(state.rules, question(work, neighbour))};
  state.order(rank, started.path, stores);
  state.counters.operation(rank, started.path, size_bytes(work));
  if (started.path == Path::direct) {
    do_directly(work, region);
    return started;
  }
  if (started.path == Path::rma) {
    started.ticket = start_in_window(work, region);
  } else {
    started.operation = start_message(work, region);
  }
  if (stores) state.unfenced_to(rank).beyond_stores.count();
  return started;
}

template <typename Work>
void run_work(Work& work) {
  RegionState& region = *work.region.state();
  const bool stores = work.kind != Kind::get;
  Started started = begin(work, region);
  State& state = region.state();
  const int rank = region.runtime_rank(work.target);
  if (started.path == Path::rma) region.complete_locally(work.target, started.ticket);
  if (started.path == Path::message)
    state.await(*started.operation, stores ? "a put by message" : "a get by message");
  if (stores) state.stored(rank, started.path);
  state.poll_in_passing();
}

template <typename Work>
Handle start_work(Work& work) {
  RegionState& region = *work.region.state();
  Started started = begin(work, region);
  region.state().poll_in_passing();
  return HandleAccess::make(region, work.target, started.path, started.ticket, std::move(started.operation));
}

template <typename Work>
void start_work_implicit(Work& work) {
  RegionState& region = *work.region.state();
  Started started = begin(work, region);
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

}  // namespace

void run(Transfer&& transfer) { run_work(transfer); }
void run(const Block& block) { run_work(block); }

Handle start(Transfer&& transfer) { return start_work(transfer); }
Handle start(const Block& block) { return start_work(block); }

void start_implicit(Transfer&& transfer) { start_work_implicit(transfer); }
void start_implicit(const Block& block) { start_work_implicit(block); }

}  // namespace stretto::rma
