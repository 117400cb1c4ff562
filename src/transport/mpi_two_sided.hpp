// SPDX-License-Identifier: BSD-3-Clause
// `mpi-two-sided`: MPI_Isend and MPI_Irecv, completed together.
#pragma once

#include <vector>

#include "mpi/communicator.hpp"
#include "transport/transport.hpp"

namespace stretto::transport {

class MpiTwoSided final : public Transport {
 public:
  using Transport::supports;

  /// Duplicates `parent`. Collective.
  explicit MpiTwoSided(MPI_Comm parent) : communicator_(parent) {}

  [[nodiscard]] std::string_view name() const override { return "mpi-two-sided"; }
  [[nodiscard]] bool supports(Operation operation) const override { return operation == Operation::send; }
  void reserve(std::size_t size_bytes) override;
  void start(const Transfer& transfer) override;
  void expect(const Transfer& transfer) override;
  void finish() override;
  void poll() override;
  void fill(std::uint32_t seed) override;
  [[nodiscard]] bool arrived(const Transfer& transfer, std::uint32_t seed) const override;

 private:
  mpi::Communicator communicator_;
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> incoming_;
  std::vector<MPI_Request> requests_;
};

}  // namespace stretto::transport
