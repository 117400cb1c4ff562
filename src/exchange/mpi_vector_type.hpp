// SPDX-License-Identifier: BSD-3-Clause
// An MPI datatype for strided pieces, cached as long as the shape stays the same.
#pragma once

#include <mpi.h>

#include "exchange/pieces.hpp"
#include "mpi/check.hpp"

namespace stretto::exchange {

class MpiVectorType {
 public:
  MpiVectorType() = default;
  MpiVectorType(const MpiVectorType&) = delete;
  MpiVectorType& operator=(const MpiVectorType&) = delete;
  ~MpiVectorType() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }

  /// The datatype for the count, size and stride of `pieces`; its displacements are bytes from the first
  /// piece.
  [[nodiscard]] MPI_Datatype of(const Pieces& pieces) {
    const bool same = pieces.count == shape_.count && pieces.piece_bytes == shape_.piece_bytes &&
                      pieces.stride_bytes == shape_.stride_bytes;
    if (type_ != MPI_DATATYPE_NULL && same) return type_;
    if (type_ != MPI_DATATYPE_NULL) mpi::check(MPI_Type_free(&type_), "MPI_Type_free");
    mpi::check(MPI_Type_vector(static_cast<int>(pieces.count), static_cast<int>(pieces.piece_bytes),
                               static_cast<int>(pieces.stride_bytes), MPI_BYTE, &type_),
               "MPI_Type_vector");
    mpi::check(MPI_Type_commit(&type_), "MPI_Type_commit");
    shape_ = pieces;
    return type_;
  }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  Pieces shape_;
};

}  // namespace stretto::exchange
