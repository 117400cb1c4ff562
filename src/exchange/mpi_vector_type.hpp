// SPDX-License-Identifier: BSD-3-Clause
// MPI's own description of pieces that lie apart; kept as long as the shape stays the same.
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

  /// Of the pieces' count, size and stride; in bytes from the first piece on.
  [[nodiscard]] MPI_Datatype of(const Pieces& pieces);

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  Pieces shape_;
};

}  // namespace stretto::exchange
