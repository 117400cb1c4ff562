// SPDX-License-Identifier: BSD-3-Clause
// Parts of the generated wrappers: replacements for statuses that the application ignores.
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

/// A wait or test has failed. `after`: the handles after it. Those that it has freed are no operations any
/// more, and a failed wait for one persistent operation has ended it.
template <typename Handles>
void failed_wait(const Call& call, int error, const RequestsBefore& before, const Handles& after,
                 const MPI_Status* status) {
  if (!call) return;
  std::vector<MPI_Request> ended;
  for (int i = 0; i < before.count(); ++i) {
    if (before[i] == MPI_REQUEST_NULL) continue;
    const bool one_started = before.count() == 1 && recorder().requests.active_number(before[i]) != 0;
    if (one_started || after[i] == MPI_REQUEST_NULL) ended.push_back(before[i]);
  }
  failed_wait(call, error, ended, ended.size() == 1 ? status : nullptr);
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
