// SPDX-License-Identifier: BSD-3-Clause
// What a probe runs over. A transport starts transfers, completes them and says what it cannot do;
// it never measures. One instance lives on each rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stretto::transport {

/// send: both sides take part; put and get: only the origin does.
enum class Operation { send, put, get };

inline constexpr Operation all_operations[] = {Operation::send, Operation::put, Operation::get};

[[nodiscard]] std::string_view to_string(Operation operation);
[[nodiscard]] std::optional<Operation> operation_from(std::string_view name);

/// Who makes communication go on while a rank works: nobody, the rank itself between slices of its work,
/// or a helper thread of the transport.
enum class Progress { none, poll, thread };

inline constexpr Progress all_progress[] = {Progress::none, Progress::poll, Progress::thread};

[[nodiscard]] std::string_view to_string(Progress progress);
[[nodiscard]] std::optional<Progress> progress_from(std::string_view name);

/// One piece of data on its way between this rank and `peer`.
struct Transfer {
  Operation operation = Operation::send;
  int peer = 0;
  std::size_t size_bytes = 0;
  /// Where in the outgoing and in the incoming buffer (the same place in both).
  std::size_t offset_bytes = 0;
};

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// `mpi-two-sided`, `mpi-rma`, ...
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual bool supports(Operation operation) const = 0;
  [[nodiscard]] virtual bool supports(Progress progress) const { return progress != Progress::thread; }

  /// Makes room for `size_bytes` that leave and `size_bytes` that arrive at every rank. Collective;
  /// keeps what it has when that is enough.
  virtual void reserve(std::size_t size_bytes) = 0;

  /// The active side: the sender of a send, the origin of a put or get. Returns at once.
  virtual void start(const Transfer& transfer) = 0;

  /// The passive side of a send: the receiver, before or after the data is there. Returns at once.
  virtual void expect(const Transfer& transfer) = 0;

  /// Completes all that this rank started and expects. Afterwards received data is readable here, and
  /// data that was put is readable at its target.
  virtual void finish() = 0;

  /// Gives the library below a chance to make progress; completes nothing visible.
  virtual void poll() = 0;

  /// Fills all that can leave this rank with bytes that depend on rank, place and `seed`, and clears
  /// all that can arrive.
  virtual void fill(std::uint32_t seed) = 0;

  /// Whether the arrived bytes of a completed `transfer` (as this rank started or expects it; for a put,
  /// as its target: `peer` is then the origin) are those that `peer` filled with `seed`.
  [[nodiscard]] virtual bool arrived(const Transfer& transfer, std::uint32_t seed) const = 0;
};

}  // namespace stretto::transport
