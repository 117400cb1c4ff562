// SPDX-License-Identifier: BSD-3-Clause
// The kernels of `stretto run` as schedules: what each variant over each transport does, phase by phase. What
// a rank waits for depends on the transport (docs/kernels.md): over `stretto` the flag that travels with a
// put, in one message; over `mpi-two-sided` the send and the message that comes the same way; over `mpi-rma`
// all puts and a barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "network/request_members.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network {

/// A schedule that a rank goes through `times` times; its computation, one part, has `flops` each time.
struct KernelPhase {
  ScheduleGraph schedule;
  std::int64_t times = 1;
  double flops = 0;
};

/// What names a variant. `overlapped`: it computes while messages are under way. `settings`: options of the
/// kernel that belong to it (`--set`).
struct VariantName {
  std::string variant;
  std::string transport;
  std::vector<std::string> settings;
  bool overlapped = false;
};

/// A kernel of one size on so many ranks.
class KernelModel {
 public:
  KernelModel() = default;
  KernelModel(const KernelModel&) = delete;
  KernelModel& operator=(const KernelModel&) = delete;
  virtual ~KernelModel() = default;

  /// All that a profile could carry, the simplest first.
  [[nodiscard]] virtual std::vector<VariantName> variants() const = 0;
  /// The phases of one of them, or of another that the kernel has by this name. Throws InvalidParameter.
  [[nodiscard]] virtual std::vector<KernelPhase> phases(const VariantName& name) const = 0;
  /// Whether the variant of this name computes while messages are under way.
  [[nodiscard]] virtual bool overlaps(const std::string& variant) const = 0;
};

// The kernels, from the members of a request. They throw InvalidRequest and InvalidParameter.
[[nodiscard]] std::unique_ptr<KernelModel> ft_kernel(const RequestMembers& members);
[[nodiscard]] std::unique_ptr<KernelModel> mg_kernel(const RequestMembers& members);
[[nodiscard]] std::unique_ptr<KernelModel> cg_kernel(const RequestMembers& members);
[[nodiscard]] std::unique_ptr<KernelModel> spmv_kernel(const RequestMembers& members);

/// The transports of the kernels, the simplest first.
[[nodiscard]] const std::vector<std::string>& kernel_transports();

/// The variants of a kernel that exchanges with few others: `two-sided`, `blocking`, `nonblocking`.
[[nodiscard]] std::vector<VariantName> exchange_variants();

/// The steps of a rank under construction, for one transport.
class KernelProgram {
 public:
  /// `blocking`: every put to a window is complete before the next step. Those of `stretto` leave as
  /// messages; their source may be changed at once.
  explicit KernelProgram(std::string transport, bool blocking = false);

  /// So much of the schedule's computation.
  void compute(double share);
  /// A message to the rank `hop` further on; its number.
  std::uint32_t start(std::int64_t hop, std::int64_t size_bytes);
  /// A get from the rank `hop` further on; its number.
  std::uint32_t get(std::int64_t hop, std::int64_t size_bytes);
  /// Waits until a get of one's own is complete.
  void finish(std::uint32_t message) { graph_.finish(message); }
  /// Waits for what reaches this rank as this message leaves it.
  void arrive(std::uint32_t message);
  void arrive(const std::vector<std::uint32_t>& messages);
  /// Tells a rank that its data was read: over `stretto` a flag without data.
  void release(std::int64_t hop);

  /// What was written down.
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
