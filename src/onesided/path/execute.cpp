// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/path/execute.hpp"

#include <utility>

#include "onesided/api/access.hpp"
#include "onesided/api/check_arguments.hpp"
#include "onesided/api/handle_access.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"
#include "onesided/path/direct.hpp"

namespace stretto::onesided {
namespace {

/// A transfer that has started, and what completes it: on the rma path the ticket, and the operation of the
/// flag that follows the data.
struct Started {
  Path path = Path::direct;
  std::uint64_t ticket = 0;
  std::shared_ptr<MessageOperation> operation;
};

void execute_directly(const LayoutTransfer& transfer, const RegionState& region) {
  std::byte* const target = region.memory->node_local(transfer.target);
  switch (transfer.kind) {
    case OperationKind::get:
      transfer.layout.for_each_row([&](const Row& row) {
        copy_blocks(row.first.local, row.local_stride, target + row.first.offset, row.remote_stride,
                    row.first.size_bytes, row.count);
      });
      break;
    case OperationKind::accumulate: {
      int& lock = region.memory->lock_of(transfer.target);
      transfer.layout.for_each([&](const Piece& piece) {
        onesided::accumulate(target + piece.offset, piece.local, piece.size_bytes, transfer.scale, lock);
      });
      break;
    }
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

void execute_directly(const ContiguousTransfer& transfer, const RegionState& region) {
  if (transfer.piece.size_bytes == 0) return;  // then the addresses may be nullptr
  copy_piece(transfer.kind, transfer.piece, region.memory->node_local(transfer.target));
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

std::uint64_t start_in_window(const LayoutTransfer& transfer, RegionState& region) {
  std::uint64_t ticket = 0;
  transfer.layout.for_each(
      [&](const Piece& piece) { ticket = region.start(transfer.kind, transfer.target, piece); });
  return ticket;
}

std::uint64_t start_in_window(const ContiguousTransfer& transfer, RegionState& region) {
  if (transfer.piece.size_bytes == 0) return 0;
  return region.start(transfer.kind, transfer.target, transfer.piece);
}

/// The flag leaves once the data is at the target.
std::shared_ptr<MessageOperation> raise_behind(const LayoutTransfer& transfer, RegionState& region) {
  if (transfer.flag.region == no_region) return nullptr;
  auto operation =
      std::make_shared<MessageOperation>(PacketKind::put, region.runtime_rank(transfer.target), Layout{});
  operation->flag = transfer.flag;
  region.runtime().raise_after_flush(Access::state(transfer.region), transfer.target, operation);
  return operation;
}
std::shared_ptr<MessageOperation> raise_behind(const ContiguousTransfer&, RegionState&) { return nullptr; }

std::shared_ptr<MessageOperation> start_message(LayoutTransfer& transfer, RegionState& region) {
  const PacketKind kind = transfer.kind == OperationKind::get          ? PacketKind::get
                          : transfer.kind == OperationKind::accumulate ? PacketKind::accumulate
                                                                       : PacketKind::put;
  auto operation = std::make_shared<MessageOperation>(kind, region.runtime_rank(transfer.target),
                                                      std::move(transfer.layout));
  operation->scale = transfer.scale;
  operation->flag = transfer.flag;
  if (operation->cursor.done() && operation->flag.region == no_region) {
    operation->done = true;  // without bytes nothing is sent
  } else {
    region.runtime().start(operation);
  }
  return operation;
}

std::shared_ptr<MessageOperation> start_message(const ContiguousTransfer& contiguous, RegionState& region) {
  Piece piece = contiguous.piece;
  piece.region = region.id;
  LayoutTransfer transfer{.kind = contiguous.kind,
                          .region = contiguous.region,
                          .target = contiguous.target,
                          .layout = Layout::contiguous(piece)};
  return start_message(transfer, region);
}

PathQuery path_query(const LayoutTransfer& transfer, bool node_local) {
  const std::size_t segment_bytes = Access::state(transfer.region)->runtime().options.segment_bytes;
  return {.kind = transfer.kind,
          .contiguous = transfer.layout.is_contiguous(),
          .flagged = transfer.flag.region != no_region,
          .large = transfer.layout.size_bytes() / 2 >= segment_bytes &&
                   transfer.layout.min_piece_bytes() / 2 >= segment_bytes,
          .node_local = node_local};
}

PathQuery path_query(const ContiguousTransfer& transfer, bool node_local) {
  return {.kind = transfer.kind, .node_local = node_local};
}

std::size_t size_bytes(const LayoutTransfer& transfer) { return transfer.layout.size_bytes(); }
std::size_t size_bytes(const ContiguousTransfer& transfer) { return transfer.piece.size_bytes; }

/// `AnyTransfer` is a LayoutTransfer or a ContiguousTransfer.
template <typename AnyTransfer>
Started begin(AnyTransfer& transfer, RegionState& region) {
  check_arguments(transfer);
  RuntimeState& state = region.runtime();
  const int rank = region.runtime_rank(transfer.target);
  const bool node_local = region.memory->node_local(transfer.target) != nullptr;
  const bool stores = transfer.kind != OperationKind::get;
  Started started{.path = choose_path(state.rules, path_query(transfer, node_local))};
  state.order(rank, started.path, stores);
  state.counters.operation(rank, started.path, size_bytes(transfer));
  if (started.path == Path::direct) {
    execute_directly(transfer, region);
    return started;
  }
  if (started.path == Path::rma) {
    try {
      started.ticket = start_in_window(transfer, region);
      started.operation = raise_behind(transfer, region);
    } catch (...) {
      region.end_transfers(transfer.target);
      throw;
    }
  } else {
    started.operation = start_message(transfer, region);
  }
  if (stores) state.unfenced_to(rank).beyond_stores.count();
  return started;
}

template <typename AnyTransfer>
void run_any(AnyTransfer& transfer) {
  RegionState& region = *Access::state(transfer.region);
  const bool stores = transfer.kind != OperationKind::get;
  Started started = begin(transfer, region);
  RuntimeState& state = region.runtime();
  const int rank = region.runtime_rank(transfer.target);
  if (started.path == Path::rma) region.complete_locally_once(transfer.target, started.ticket);
  if (started.operation != nullptr)
    state.wait_once(*started.operation, stores ? "a put by message" : "a get by message");
  if (stores) state.stored(rank, started.path);
  if (stores && started.operation != nullptr) state.stored(rank, Path::message);
  state.poll_if_enabled();
}

template <typename AnyTransfer>
Handle start_any(AnyTransfer& transfer) {
  RegionState& region = *Access::state(transfer.region);
  Started started = begin(transfer, region);
  region.runtime().poll_if_enabled();
  const Path path = started.operation != nullptr ? Path::message : started.path;
  return HandleAccess::make(region, transfer.target, path, started.ticket, std::move(started.operation));
}

template <typename AnyTransfer>
void start_any_implicit(AnyTransfer& transfer) {
  RegionState& region = *Access::state(transfer.region);
  Started started = begin(transfer, region);
  RuntimeState& state = region.runtime();
  if (started.operation != nullptr && !started.operation->done) {
    ImplicitOperations& pending = state.implicit_to(started.operation->target);
    try {
      pending.add(std::shared_ptr(started.operation));
    } catch (...) {
      state.release(*started.operation);
      throw;
    }
  }
  state.poll_if_enabled();
}

}  // namespace

void run(LayoutTransfer&& transfer) { run_any(transfer); }
void run(const ContiguousTransfer& transfer) { run_any(transfer); }

Handle start(LayoutTransfer&& transfer) { return start_any(transfer); }
Handle start(const ContiguousTransfer& transfer) { return start_any(transfer); }

void start_implicit(LayoutTransfer&& transfer) { start_any_implicit(transfer); }
void start_implicit(const ContiguousTransfer& transfer) { start_any_implicit(transfer); }

}  // namespace stretto::onesided
