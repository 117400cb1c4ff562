// SPDX-License-Identifier: BSD-3-Clause
// An MPI datatype for strided pieces, cached as long as the shape stays the same.
#pragma once

#include <mpi.h>

#include "exchange/pieces.hpp"

namespace stretto::exchange {

class MpiVectorType {
 public:
  MpiVectorType() = default;
  MpiVectorType(const MpiVectorType&) = delete;
  MpiVectorType& operator=(const MpiVectorType&) = delete;
  ~MpiVectorType();

  /// The datatype for the count, size and stride of `pieces`; its displacements are bytes from the first
  /// piece.
  [[nodiscard]] MPI_Datatype of(const Pieces& pieces);

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  Pieces shape_;
};

}  // namespace stretto::exchange
