// SPDX-License-Identifier: BSD-3-Clause
// The kernels of `stretto run` as schedules: the phases of each variant over each transport. What a rank
// waits for depends on the transport (docs/kernels.md). Over `stretto` it is the flag that travels with a
// put in one message. Over `mpi-two-sided` it is the send and the matching receive; over `mpi-rma` it is
// all puts and a barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "network/request_members.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network {

/// A schedule that is repeated `times` times; its computation is one part and has `flops` each time.
struct KernelPhase {
  ScheduleGraph schedule;
  std::int64_t times = 1;
  double flops = 0;
};

/// The name of a variant. `overlapped`: it computes while messages are in flight. `settings`: the kernel
/// options that select it (`--set`).
struct VariantName {
  std::string variant;
  std::string transport;
  std::vector<std::string> settings;
  bool overlapped = false;
};

/// A kernel of one size on a given number of ranks.
class KernelModel {
 public:
  KernelModel() = default;
  KernelModel(const KernelModel&) = delete;
  KernelModel& operator=(const KernelModel&) = delete;
  virtual ~KernelModel() = default;

  /// All variants for which a profile can have costs, the simplest first.
  [[nodiscard]] virtual std::vector<VariantName> variants() const = 0;
  /// The phases of a variant, listed by variants() or not. Throws InvalidParameter.
  [[nodiscard]] virtual std::vector<KernelPhase> phases(const VariantName& name) const = 0;
  /// Whether the named variant computes while messages are in flight.
  [[nodiscard]] virtual bool overlaps(const std::string& variant) const = 0;
};

// Create the kernels from the members of a request. They throw InvalidRequest and InvalidParameter.
[[nodiscard]] std::unique_ptr<KernelModel> ft_kernel(const RequestMembers& members);
[[nodiscard]] std::unique_ptr<KernelModel> mg_kernel(const RequestMembers& members);
[[nodiscard]] std::unique_ptr<KernelModel> cg_kernel(const RequestMembers& members);
[[nodiscard]] std::unique_ptr<KernelModel> spmv_kernel(const RequestMembers& members);

/// The transports of the kernels, the simplest first.
[[nodiscard]] const std::vector<std::string>& kernel_transports();

/// The variants of kernels that exchange with few ranks: `two-sided`, `blocking`, `nonblocking`.
[[nodiscard]] std::vector<VariantName> exchange_variants();

/// Builds the steps of a rank for one transport.
class KernelProgram {
 public:
  /// `blocking`: every put to a window completes before the next step. Puts of `stretto` are sent as
  /// messages; their source is reusable at once.
  explicit KernelProgram(std::string transport, bool blocking = false);

  /// Adds this share of the schedule's computation.
  void compute(double share);
  /// Starts a message to the rank `hop` further on; returns its number.
  std::uint32_t start(std::int64_t hop, std::int64_t size_bytes);
  /// Starts a get from the rank `hop` further on; returns its number.
  std::uint32_t get(std::int64_t hop, std::int64_t size_bytes);
  /// Waits until a get of this rank is complete.
  void finish(std::uint32_t message) { graph_.finish(message); }
  /// Waits for the incoming message that corresponds to this outgoing one.
  void arrive(std::uint32_t message);
  void arrive(const std::vector<std::uint32_t>& messages);
  /// Notifies a rank that its data was read; over `stretto` by a flag without data.
  void release(std::int64_t hop);

  /// The phase with the steps added so far.
  [[nodiscard]] KernelPhase phase(const std::string& name, std::int64_t ranks, std::int64_t times,
                                  double flops);

 private:
  std::string transport_;
  bool blocking_;
  ScheduleGraph graph_;
  std::uint8_t work_;
  std::uint8_t init_;
};

/// The quotient of two counts, rounded up.
[[nodiscard]] constexpr std::int64_t divided_up(std::int64_t above, std::int64_t below) {
  return (above + below - 1) / below;
}

}  // namespace stretto::network
