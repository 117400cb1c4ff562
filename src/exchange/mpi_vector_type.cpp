// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/mpi_vector_type.hpp"

#include "mpi/check.hpp"

namespace stretto::exchange {

using mpi::check;

MpiVectorType::~MpiVectorType() {
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

MPI_Datatype MpiVectorType::of(const Pieces& pieces) {
  const bool same = pieces.count == shape_.count && pieces.piece_bytes == shape_.piece_bytes &&
                    pieces.stride_bytes == shape_.stride_bytes;
  if (type_ != MPI_DATATYPE_NULL && same) return type_;
  if (type_ != MPI_DATATYPE_NULL) check(MPI_Type_free(&type_), "MPI_Type_free");
  check(MPI_Type_vector(static_cast<int>(pieces.count), static_cast<int>(pieces.piece_bytes),
                        static_cast<int>(pieces.stride_bytes), MPI_BYTE, &type_),
        "MPI_Type_vector");
  check(MPI_Type_commit(&type_), "MPI_Type_commit");
  shape_ = pieces;
  return type_;
}

}  // namespace stretto::exchange
