// SPDX-License-Identifier: BSD-3-Clause
// The probe `collective` over MPI: groups of the first p ranks, their buffers, and calls of the collective
// library.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <span>

#include "collective/two_phase.hpp"
#include "probe/collectives.hpp"

namespace stretto::tools {

/// A buffer that starts empty and grows.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  /// Allocates `size_bytes`. In a simulation without `apart`, the large buffers of all ranks share memory
  /// to save space; their contents are then undefined.
  void resize(std::size_t size_bytes, bool apart);

  [[nodiscard]] std::byte* get() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_bytes_; }

 private:
  void release();

  std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
  bool shared_ = false;
};

/// The elements of a reduction of b bytes: doubles where b is a multiple of theirs, else bytes.
struct ReducedElements {
  explicit ReducedElements(std::size_t size_bytes)
      : doubles(size_bytes % sizeof(double) == 0),
        count(static_cast<int>(doubles ? size_bytes / sizeof(double) : size_bytes)),
        type(doubles ? MPI_DOUBLE : MPI_BYTE),
        op(doubles ? MPI_SUM : MPI_BXOR) {}

  bool doubles;
  int count;
  MPI_Datatype type;
  MPI_Op op;
};

class MpiCollectives final : public probe::Collectives {
 public:
  explicit MpiCollectives(MPI_Comm world);

  void prepare(const probe::CollectiveCall& call, bool checked) override;
  void run(probe::CollectivePart part) override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] measure::CheckedTransfers verify(std::uint32_t seed) const override;

  /// What a nonblocking form of the prepared call needs. The group is null on ranks outside of it.
  [[nodiscard]] bool is_member() const { return team_ != MPI_COMM_NULL; }
  [[nodiscard]] const probe::CollectiveCall& call() const { return call_; }
  [[nodiscard]] MPI_Comm group() const { return team_; }
  [[nodiscard]] std::byte* sent() { return send_.get(); }
  [[nodiscard]] std::byte* received() { return receive_.get(); }

 private:
  [[nodiscard]] bool result_is_right(std::uint32_t seed) const;
  [[nodiscard]] bool sum_is_right(std::span<const std::byte> result, std::size_t place_bytes,
                                  std::uint32_t seed) const;

  MPI_Comm world_;
  int rank_ = 0;
  std::map<int, std::unique_ptr<collective::OwnCommunicator>>
      teams_;  ///< by p; null on ranks outside the group
  probe::CollectiveCall call_;
  MPI_Comm team_ = MPI_COMM_NULL;
  Buffer send_;
  Buffer receive_;
};

}  // namespace stretto::tools
