// SPDX-License-Identifier: BSD-3-Clause
// The interface through which a probe transfers data. A transport starts and completes transfers and reports
// what it does not support; it never measures. Each rank has one instance.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "measure/experiment.hpp"
#include "measure/named.hpp"

namespace stretto::exchange {

using measure::to_string;

/// Both sides take part in a send; only the origin takes part in a put or get.
enum class ChannelOperation { send, put, get };

inline constexpr ChannelOperation all_operations[] = {ChannelOperation::send, ChannelOperation::put,
                                                      ChannelOperation::get};

constexpr std::array<std::string_view, 3> names_of(ChannelOperation /*type*/) {
  return {"send", "put", "get"};
}

/// What makes communication progress while a rank computes: nothing, the rank's own polls between slices of
/// computation, or a progress thread of the transport.
enum class ProgressMode { none, poll, thread };

inline constexpr ProgressMode all_progress[] = {ProgressMode::none, ProgressMode::poll, ProgressMode::thread};

constexpr std::array<std::string_view, 3> names_of(ProgressMode /*type*/) {
  return {"none", "poll", "thread"};
}

/// One transfer of data between this rank and `peer`.
struct Transfer {
  ChannelOperation operation = ChannelOperation::send;
  int peer = 0;
  std::size_t size_bytes = 0;
  /// Offset in the outgoing buffer.
  std::size_t offset_bytes = 0;
  /// Offset in the incoming buffer; absent: equal to `offset_bytes`.
  std::optional<std::size_t> receive_offset_bytes = std::nullopt;
  /// The put notifies its target, which must expect() it, when the data is there: see signals().
  bool signal = false;

  [[nodiscard]] std::size_t receive_offset() const { return receive_offset_bytes.value_or(offset_bytes); }
};

/// One of `parts` of equal size.
[[nodiscard]] Transfer part_of(const Transfer& transfer, int parts, int part);

/// This rank's buffers for an operation, each at least as long as the size that was reserved.
struct TransferBuffers {
  std::span<std::byte> outgoing;
  std::span<std::byte> incoming;
};

/// Identifies a transfer that this rank has started or expects, until the transfer is finished.
using Ticket = std::uint64_t;

enum class Method;
struct Pieces;

class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  /// The name of the transport, for instance `mpi-two-sided` or `mpi-rma`.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual bool supports(ChannelOperation operation) const = 0;
  [[nodiscard]] virtual bool supports(ProgressMode progress) const {
    return progress != ProgressMode::thread;
  }

  /// Whether the other rank of an operation must call expect() for it.
  [[nodiscard]] virtual bool has_passive_side(ChannelOperation operation) const {
    return operation == ChannelOperation::send;
  }

  /// The path that all data is forced to take; empty where the transport chooses or does not distinguish
  /// paths.
  [[nodiscard]] virtual std::string_view forced_path() const { return {}; }

  /// The progress that the transport makes while its rank neither calls it nor polls between slices of
  /// computation: `none` or `thread`.
  [[nodiscard]] virtual ProgressMode standing_progress() const { return ProgressMode::none; }

  /// Whether an open transport is active without being called (a progress thread, posted receives). No other
  /// transport can be measured at the same time then.
  [[nodiscard]] virtual bool needs_exclusive_run() const { return false; }

  /// Acquire and release the transport's resources. open() comes before all functions below. A closed
  /// transport does not disturb other measurements. Both are collective.
  virtual void open() {}
  virtual void close() {}

  /// Allocates outgoing and incoming buffers of `size_bytes` each on every rank. Keeps the present buffers if
  /// they are large enough. Collective.
  virtual void reserve(std::size_t size_bytes) = 0;

  /// The buffers from which the data of `operation` leaves and in which it arrives. They are valid until
  /// reserve() allocates more. They are empty where no memory exists and the data is only what fill()
  /// defines.
  [[nodiscard]] virtual TransferBuffers memory(ChannelOperation /*operation*/) { return {}; }

  /// Starts the active side of a transfer: the sender of a send, the origin of a put or get. Returns at once.
  virtual Ticket start(const Transfer& transfer) = 0;

  /// Starts the passive side of a send, the receiver's, before or after the data has arrived. Returns at
  /// once.
  virtual Ticket expect(const Transfer& transfer) = 0;

  /// Transfers of several pieces (pieces.hpp), completed by finish(): the active side, and the passive side
  /// of a send. By default each piece is a transfer of its own.
  [[nodiscard]] virtual bool supports(Method method) const;
  virtual void start_pieces(const Pieces& pieces, Method method);
  virtual void expect_pieces(const Pieces& pieces, Method method);

  /// A send in `parts` of equal size that become ready one by one: announces it, hands over one part, and
  /// expects all of them at the receiver. finish() completes it. One such send may be open at a time. By
  /// default each part is a transfer of its own, also of a put; a get has no parts.
  virtual void start_parts(const Transfer& /*transfer*/, int /*parts*/) {}
  virtual void ready(const Transfer& transfer, int parts, int part) { start(part_of(transfer, parts, part)); }
  virtual void expect_parts(const Transfer& transfer, int parts) {
    for (int part = 0; part < parts; ++part) expect(part_of(transfer, parts, part));
  }

  /// Completes one transfer at this rank: received data is readable here, and the source of a send or put may
  /// be overwritten. A transport that cannot complete a single transfer completes others with it.
  virtual void finish(Ticket /*ticket*/) { finish(); }

  /// Completes all transfers that this rank has started or expects. Afterwards received data is readable
  /// here, and put data is readable at its target. All earlier tickets become invalid.
  virtual void finish() = 0;

  /// Whether the transport supports puts with `signal`.
  [[nodiscard]] virtual bool signals() const { return false; }
  /// Sends the signal of a put with `signal` where the put itself does not: waits for the put and notifies
  /// the target. finish() does this, too.
  virtual void deliver(Ticket /*ticket*/) {}

  /// Returns when all ranks have called it. Transfers progress during the wait. Collective.
  virtual void barrier() = 0;

  /// Lets the underlying library make progress; completes nothing that the caller can observe.
  virtual void poll() = 0;

  /// The paths by which this transport sends, if it counts traffic by path; else empty.
  [[nodiscard]] virtual std::span<const std::string_view> paths() const { return {}; }
  /// The traffic of this rank so far: for each target, in order, one entry for each of paths(), in order.
  [[nodiscard]] virtual std::vector<measure::PathCount> path_counts() const { return {}; }

  /// Fills the outgoing buffers of this rank with bytes that depend on rank, offset and `seed`, and clears
  /// the incoming buffers.
  virtual void fill(std::uint32_t seed) = 0;

  /// Whether the data of a completed `transfer` equals what `peer` filled with `seed`. `transfer` is as this
  /// rank started or expects it; at the target of a put, `peer` is the origin.
  [[nodiscard]] virtual bool arrived(const Transfer& transfer, std::uint32_t seed) const = 0;
};

}  // namespace stretto::exchange
