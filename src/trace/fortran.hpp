// SPDX-License-Identifier: BSD-3-Clause
// Parts of the generated wrappers for Fortran, where all arguments are references: their conversion to C's.
// The header of MPI's standard ABI has no MPI_Fint; its recorder is built without this file.
#pragma once

#include "mpi/fortran_buffer.hpp"
#include "trace/wrapping.hpp"

namespace stretto::trace {

[[nodiscard]] inline MPI_Fint* fint(void* argument) { return static_cast<MPI_Fint*>(argument); }
/// Converts Fortran's index, which counts from 1; MPI_UNDEFINED stays.
[[nodiscard]] inline int c_index(MPI_Fint index) {
  return index == MPI_UNDEFINED ? MPI_UNDEFINED : index - 1;
}
using mpi::fortran_buffer;

struct FortranTypes {
  const MPI_Fint* types;
  MPI_Datatype operator[](int index) const { return MPI_Type_f2c(types[index]); }
};
[[nodiscard]] inline FortranTypes fortran_types(void* argument) { return {fint(argument)}; }

struct FortranHandles {
  const MPI_Fint* requests;
  MPI_Request operator[](int index) const { return MPI_Request_f2c(requests[index]); }
};
[[nodiscard]] inline FortranHandles fortran_requests(void* argument) { return {fint(argument)}; }

/// Fortran's indices, counted from 0.
struct CIndices {
  explicit CIndices(const MPI_Fint* indices) : indices_(indices) {}
  int operator[](int index) const { return c_index(indices_[index]); }

 private:
  const MPI_Fint* indices_;
};

/// The error argument, which a call of mpi_f08 may omit.
class OptionalError {
 public:
  explicit OptionalError(void* given) : given_(given) {}
  [[nodiscard]] void* pointer() const { return given_ != nullptr ? given_ : &own_; }

 private:
  void* given_;
  mutable MPI_Fint own_ = MPI_SUCCESS;
};

class FortranRequests : public RequestsBefore {
 public:
  FortranRequests(const Call& call, int count, void* requests);
};

class FortranStatuses {
 public:
  FortranStatuses(const Call& call, int count, void* given);
  FortranStatuses(const Call& call, int count, void* given, const RequestsBefore& requests);
  [[nodiscard]] void* pointer() const { return given_; }
  /// The statuses in C's form.
  [[nodiscard]] const MPI_Status* values() const;

 private:
  const Call& call_;
  int count_;
  MPI_Fint* given_;
};

}  // namespace stretto::trace
