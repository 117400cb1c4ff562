// SPDX-License-Identifier: BSD-3-Clause
// The ranks of one run as the harness uses them: rank, time, and agreement on a value. Control traffic has
// its own communicator, so that it does not disturb the network under test.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "measure/preemption.hpp"

namespace stretto::measure {

class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// The largest number of ranks that share the memory of one machine. The same on all ranks.
  [[nodiscard]] virtual int ranks_on_machine() const { return size(); }

  /// The cores of rank 0's machine, the same on all ranks; 0: not known.
  [[nodiscard]] virtual int cores_of_machine() const { return 0; }

  /// Whether ranks share cores, if all machines have as many as rank 0's. The same on all ranks.
  [[nodiscard]] bool is_crowded() const {
    return cores_of_machine() > 0 && ranks_on_machine() > cores_of_machine();
  }

  /// Seconds on one clock that all ranks share (local clocks corrected by their measured offset).
  [[nodiscard]] virtual double now_s() = 0;

  /// Returns at or after `deadline_s` (on the clock of now_s()). It sleeps only where ranks share cores.
  virtual void wait_until(double deadline_s) = 0;

  /// The account of this rank's thread. Zero where there is none.
  [[nodiscard]] virtual ProcessorAccount processor_account() { return {}; }

  /// The account of this rank's machine. Nothing where there is none.
  [[nodiscard]] virtual std::optional<HostActivity> host_activity() { return std::nullopt; }

  /// Returns after `seconds`, in which this rank uses no processor.
  virtual void rest(double /*seconds*/) {}

  /// Copies rank 0's bytes to every rank. Collective.
  virtual void broadcast(std::span<std::byte> data) = 0;

  /// Gathers every rank's `mine`, in rank order, into rank 0's `all` of size() times the length. `all` is
  /// ignored on other ranks. Collective.
  virtual void gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;

  /// Returns when all ranks have entered. It carries no data, so that early ranks disturb late ones as
  /// little as possible. Collective.
  virtual void barrier() = 0;

  template <typename T>
  void share(T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "only plain values travel between ranks");
    broadcast(std::as_writable_bytes(std::span{&value, 1}));
  }

  /// One value per rank at rank 0; empty elsewhere.
  template <typename T>
  [[nodiscard]] std::vector<T> collect(const T& mine) {
    static_assert(std::is_trivially_copyable_v<T>, "only plain values travel between ranks");
    std::vector<T> all(rank() == 0 ? static_cast<std::size_t>(size()) : 0);
    gather(std::as_bytes(std::span{&mine, 1}), std::as_writable_bytes(std::span{all}));
    return all;
  }
};

}  // namespace stretto::measure
