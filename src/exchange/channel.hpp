// SPDX-License-Identifier: BSD-3-Clause
// What a probe runs over. A transport starts transfers, completes them and says what it cannot do;
// it never measures. One instance lives on each rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "measure/experiment.hpp"

namespace stretto::exchange {

/// send: both sides take part; put and get: only the origin does.
enum class Operation { send, put, get };

inline constexpr Operation all_operations[] = {Operation::send, Operation::put, Operation::get};

[[nodiscard]] std::string_view to_string(Operation operation);
[[nodiscard]] std::optional<Operation> operation_from(std::string_view name);

/// Who makes communication go on while a rank works: nobody, the rank itself between slices of its work,
/// or a progress thread of the transport.
enum class ProgressMode { none, poll, thread };

inline constexpr ProgressMode all_progress[] = {ProgressMode::none, ProgressMode::poll, ProgressMode::thread};

[[nodiscard]] std::string_view to_string(ProgressMode progress);
[[nodiscard]] std::optional<ProgressMode> progress_from(std::string_view name);

/// One piece of data on its way between this rank and `peer`.
struct Transfer {
  Operation operation = Operation::send;
  int peer = 0;
  std::size_t size_bytes = 0;
  /// Where in the outgoing buffer.
  std::size_t offset_bytes = 0;
  /// Where in the incoming buffer; absent: the same place.
  std::optional<std::size_t> receive_offset_bytes = std::nullopt;
  /// A put that its target expect()s, and that tells it when the data is there: see signals().
  bool signal = false;

  [[nodiscard]] std::size_t receive_offset() const { return receive_offset_bytes.value_or(offset_bytes); }
};

/// This rank's buffers of an operation, at least as long as what was reserved.
struct TransferBuffers {
  std::span<std::byte> outgoing;
  std::span<std::byte> incoming;
};

/// Names one transfer that this rank has started or expects, until it is finished.
using Ticket = std::uint64_t;

enum class Method;
struct Pieces;

class Channel {
 public:
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  virtual ~Channel() = default;

  /// `mpi-two-sided`, `mpi-rma`, ...
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual bool supports(Operation operation) const = 0;
  [[nodiscard]] virtual bool supports(ProgressMode progress) const {
    return progress != ProgressMode::thread;
  }

  /// Whether the other rank of an operation must expect() it.
  [[nodiscard]] virtual bool has_passive_side(Operation operation) const {
    return operation == Operation::send;
  }

  /// The path that all of its data is made to take; empty where it chooses or knows of none.
  [[nodiscard]] virtual std::string_view forced_path() const { return {}; }

  /// What goes on while its rank neither calls it nor polls between slices of work: `none` or `thread`.
  [[nodiscard]] virtual ProgressMode standing_progress() const { return ProgressMode::none; }

  /// Whether it does something of its own accord while it is open (a progress thread, receives that wait), so
  /// that no other transport can be measured at the same time.
  [[nodiscard]] virtual bool needs_exclusive_run() const { return false; }

  /// Takes what it needs, before everything below, and gives it back. Collective. Closed, it disturbs
  /// nothing.
  virtual void open() {}
  virtual void close() {}

  /// Allocates for `size_bytes` that leave and `size_bytes` that arrive at every rank. Collective;
  /// keeps what it has when that is enough.
  virtual void reserve(std::size_t size_bytes) = 0;

  /// Where the data of `operation` leaves from and arrives, valid until reserve() allocates more; empty
  /// where there is no memory and data is what fill() says.
  [[nodiscard]] virtual TransferBuffers memory(Operation /*operation*/) { return {}; }

  /// The active side: the sender of a send, the origin of a put or get. Returns at once.
  virtual Ticket start(const Transfer& transfer) = 0;

  /// The passive side of a send: the receiver, before or after the data is there. Returns at once.
  virtual Ticket expect(const Transfer& transfer) = 0;

  /// Pieces that travel together (pieces.hpp), completed by finish(): the active side, and the passive side
  /// of a send. One by one, where nothing better is said.
  [[nodiscard]] virtual bool supports(Method method) const;
  virtual void start_pieces(const Pieces& pieces, Method method);
  virtual void expect_pieces(const Pieces& pieces, Method method);

  /// Completes one transfer at this rank: received data is readable here, what was sent or put may be
  /// overwritten. Where one cannot be completed alone, others are, too.
  virtual void finish(Ticket /*ticket*/) { finish(); }

  /// Completes all that this rank started and expects. Afterwards received data is readable here, data
  /// that was put is readable at its target, and no ticket from before is good for anything.
  virtual void finish() = 0;

  /// Whether it has puts with `signal`.
  [[nodiscard]] virtual bool signals() const { return false; }
  /// Sends the signal of a put with `signal`, where the put itself does not: waits for it and
  /// tells the target. finish() does so, too.
  virtual void deliver(Ticket /*ticket*/) {}

  /// All ranks have come, and transfers went on while they waited. Collective.
  virtual void barrier() = 0;

  /// Gives the library below a chance to make progress; completes nothing visible.
  virtual void poll() = 0;

  /// The paths by which this transport sends, where it counts what goes by each; else empty.
  [[nodiscard]] virtual std::span<const std::string_view> paths() const { return {}; }
  /// What has gone so far from this rank: for each target, in order, each of paths(), in order.
  [[nodiscard]] virtual std::vector<measure::PathCount> path_counts() const { return {}; }

  /// Fills all that can leave this rank with bytes that depend on rank, place and `seed`, and clears
  /// all that can arrive.
  virtual void fill(std::uint32_t seed) = 0;

  /// Whether the arrived bytes of a completed `transfer` (as this rank started or expects it; for a put,
  /// as its target: `peer` is then the origin) are those that `peer` filled with `seed`.
  [[nodiscard]] virtual bool arrived(const Transfer& transfer, std::uint32_t seed) const = 0;
};

}  // namespace stretto::exchange
