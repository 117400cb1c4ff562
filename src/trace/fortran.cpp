// SPDX-License-Identifier: BSD-3-Clause
// Converts Fortran's arguments to C's.
#include "trace/fortran.hpp"

#include <algorithm>

namespace stretto::trace {

FortranRequests::FortranRequests(const Call& call, int count, void* requests) {
  if (!call || count < 0 || requests == nullptr) return;
  std::vector<MPI_Request>& scratch = call.thread().requests;
  scratch.resize(static_cast<std::size_t>(count));
  std::transform(fint(requests), fint(requests) + count, scratch.begin(),
                 [](MPI_Fint handle) { return MPI_Request_f2c(handle); });
  requests_ = scratch.data();
  count_ = count;
}

namespace {

// The length of a status in Fortran's integers.
constexpr std::size_t status_fints = sizeof(MPI_Status) / sizeof(MPI_Fint);

bool ignored(const MPI_Fint* given) { return given == MPI_F_STATUS_IGNORE || given == MPI_F_STATUSES_IGNORE; }

MPI_Fint* our_fints(const Call& call, int count) {
  std::vector<std::byte>& scratch = call.thread().fortran_statuses;
  scratch.resize(sizeof(MPI_Status) * static_cast<std::size_t>(std::max(count, 1)));
  return reinterpret_cast<MPI_Fint*>(scratch.data());
}

}  // namespace

FortranStatuses::FortranStatuses(const Call& call, int count, void* given)
    : call_(call), count_(count), given_(fint(given)) {
  if (call && ignored(given_)) given_ = our_fints(call, count);
}

FortranStatuses::FortranStatuses(const Call& call, int count, void* given, const RequestsBefore& /*requests*/)
    : call_(call), count_(count), given_(fint(given)) {
  if (call && ignored(given_) && recorder().requests.needs_statuses()) given_ = our_fints(call, count);
}

const MPI_Status* FortranStatuses::values() const {
  if (!call_ || ignored(given_)) return nullptr;
  MPI_Status* scratch = CStatuses::ours(call_, count_);
  for (int i = 0; i < count_; ++i) {
    MPI_Status_f2c(given_ + static_cast<std::size_t>(i) * status_fints, scratch + i);
  }
  return scratch;
}

}  // namespace stretto::trace
