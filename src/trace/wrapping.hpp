// SPDX-License-Identifier: BSD-3-Clause
// Parts of the generated wrappers: conversions of arguments, and replacements for statuses that the
// application ignores.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "trace/freed.hpp"
#include "trace/next_mpi.hpp"
#include "trace/note.hpp"
#include "trace/recorder.hpp"

#define STRETTO_TRACED __attribute__((visibility("default")))

namespace stretto::trace {

// -- C --

using CRequests = RequestsBefore;

/// The application's statuses, or internal ones where the application ignores them and the recorder needs
/// them.
class CStatuses {
 public:
  CStatuses(const Call& call, int count, MPI_Status* given) : given_(given) {
    if (call && given == MPI_STATUS_IGNORE) given_ = ours(call, count);
  }
  /// Several statuses cost time: they are requested only where one of the operations needs its status.
  CStatuses(const Call& call, int count, MPI_Status* given, const RequestsBefore& /*requests*/)
      : given_(given) {
    if (call && given == MPI_STATUSES_IGNORE && recorder().requests.needs_statuses())
      given_ = ours(call, count);
  }
  [[nodiscard]] MPI_Status* pointer() const { return given_; }
  [[nodiscard]] const MPI_Status* values() const {
    return given_ == MPI_STATUS_IGNORE || given_ == MPI_STATUSES_IGNORE ? nullptr : given_;
  }
  static MPI_Status* ours(const Call& call, int count);

 private:
  MPI_Status* given_;
};

// -- Fortran: all arguments are references --

[[nodiscard]] inline MPI_Fint* fint(void* argument) { return static_cast<MPI_Fint*>(argument); }
/// Converts Fortran's index, which counts from 1; MPI_UNDEFINED stays.
[[nodiscard]] inline int c_index(MPI_Fint index) {
  return index == MPI_UNDEFINED ? MPI_UNDEFINED : index - 1;
}
[[nodiscard]] const void* fortran_buffer(void* argument);

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

/// Forgets the operations that a failed call has freed: MPI may reuse their handles. `after`: the handles
/// after the call.
template <typename Handles>
void forget_completed(const RequestsBefore& before, const Handles& after) {
  for (int i = 0; i < before.count(); ++i) {
    if (before[i] != MPI_REQUEST_NULL && after[i] == MPI_REQUEST_NULL) forget_failed(before[i]);
  }
}

template <typename Indices>
void waitsome(const Call& call, int /*count*/, const RequestsBefore& requests, int done,
              const Indices& indices, const MPI_Status* statuses) {
  if (done == MPI_UNDEFINED) done = 0;
  std::vector<int> from_zero(static_cast<std::size_t>(done));
  for (int i = 0; i < done; ++i) from_zero[static_cast<std::size_t>(i)] = indices[i];
  some(call, requests, done, from_zero.data(), statuses);
}

}  // namespace stretto::trace
