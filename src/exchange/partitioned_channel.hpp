// SPDX-License-Identifier: BSD-3-Clause
// Transport `mpi-partitioned`: MPI-4's partitioned point-to-point communication. A send has parts that the
// sender marks as ready one by one with MPI_Pready.
#pragma once

#include <mpi.h>

// Open MPI 5 has partitioned communication, but calls itself MPI 3.1. SMPI has none.
#if defined(STRETTO_SIMGRID)
#define STRETTO_PARTITIONED 0
#elif MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define STRETTO_PARTITIONED 1
#else
#define STRETTO_PARTITIONED 0
#endif

#if STRETTO_PARTITIONED

#include "exchange/persistent_channel.hpp"

namespace stretto::exchange {

class PartitionedChannel final : public PersistentChannel {
 public:
  /// Duplicates `parent`. Collective.
  explicit PartitionedChannel(MPI_Comm parent) : PersistentChannel(parent) {}

  [[nodiscard]] std::string_view name() const override { return "mpi-partitioned"; }
  Ticket start(const Transfer& transfer) override;
  Ticket expect(const Transfer& transfer) override;
  void start_parts(const Transfer& transfer, int parts) override;
  void ready(const Transfer& transfer, int parts, int part) override;
  void expect_parts(const Transfer& transfer, int parts) override;
  void poll() override;

 private:
  Ticket start_in(const Transfer& transfer, int parts);
  Ticket expect_in(const Transfer& transfer, int parts);

  MPI_Request open_ = MPI_REQUEST_NULL;  // the send of which parts become ready
};

}  // namespace stretto::exchange

#endif
