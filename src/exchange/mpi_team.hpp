// SPDX-License-Identifier: BSD-3-Clause
// The harness's team over MPI: control messages on a communicator of its own, and one clock for all ranks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "measure/team.hpp"
#include "mpi/communicator.hpp"

namespace stretto::exchange {

class MpiTeam final : public measure::Team {
 public:
  /// Duplicates `parent`. Measures the clock offsets between hosts that do not share a clock. Collective.
  explicit MpiTeam(MPI_Comm parent);

  [[nodiscard]] int rank() const override { return control_.rank(); }
  [[nodiscard]] int size() const override { return control_.size(); }
  [[nodiscard]] int ranks_on_machine() const override { return ranks_on_machine_; }
  [[nodiscard]] int cores_of_machine() const override { return cores_; }
  [[nodiscard]] double now_s() override;
  void wait_until(double deadline_s) override;
  [[nodiscard]] measure::ProcessorAccount processor_account() override;
  [[nodiscard]] std::optional<measure::HostActivity> host_activity() override;
  void rest(double seconds) override;
  void broadcast(std::span<std::byte> data) override;
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
  void barrier() override;

  /// Sets the function that a rank calls repeatedly while it waits for others in a call of this team; an
  /// empty function: the rank waits inside MPI. A transport with a progress engine outside MPI needs it,
  /// because its ranks must progress while they wait.
  void while_waiting(std::function<void()> call) { while_waiting_ = std::move(call); }

  [[nodiscard]] const mpi::Communicator& control() const { return control_; }

  /// At rank 0: the offset that is added to each rank's local clock, and half the shortest round trip, which
  /// bounds the error of the offset.
  [[nodiscard]] const std::vector<double>& offsets_s() const { return offsets_s_; }
  [[nodiscard]] double offset_error_s() const { return offset_error_s_; }

 private:
  void wait(MPI_Request& request) const;
  void agree_on_clock();
  void count_machines();
  [[nodiscard]] bool same_kernel() const;
  void measure_offset(int other);

  mpi::Communicator control_;
  std::function<void()> while_waiting_;
  int ranks_on_machine_ = 1;
  int cores_ = 0;
  double offset_s_ = 0;
  std::vector<double> offsets_s_;
  double offset_error_s_ = 0;
};

}  // namespace stretto::exchange
