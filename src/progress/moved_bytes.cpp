// SPDX-License-Identifier: BSD-3-Clause
#include "progress/moved_bytes.hpp"

#include <type_traits>

namespace stretto::progress {
namespace {

/// `request` is an MPI_Request: a pointer or an integer, by the MPI.
template <typename Handle>
std::uintptr_t key_of(Handle request) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<std::uintptr_t>(request);
  } else {
    return static_cast<std::uintptr_t>(request);
  }
}

}  // namespace

MovedBytes& moved_bytes() {
  static auto* const moved = new MovedBytes;
  return *moved;
}

void MovedBytes::started(MPI_Request request, std::int64_t bytes, bool persistent) {
  const std::lock_guard lock(mutex_);
  transfers_[key_of(request)] = {.bytes = bytes, .persistent = persistent, .queried = persistent};
  if (!persistent) started_bytes_ += bytes;
}

void MovedBytes::restarted(MPI_Request request) {
  const std::lock_guard lock(mutex_);
  const auto found = transfers_.find(key_of(request));
  if (found == transfers_.end()) return;
  found->second.queried = false;
  started_bytes_ += found->second.bytes;
}

// Each request is looked for once, so that a loop of tests costs little more than without.
void MovedBytes::queried(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    const std::lock_guard lock(mutex_);
    const auto found = transfers_.find(key_of(requests[i]));
    if (found == transfers_.end() || found->second.queried) continue;
    found->second.queried = true;
    if (found->second.persistent)
      continue;  // the question would deactivate it in MPICH, and no wait completes it
    int complete = 0;
    PMPI_Request_get_status(requests[i], &complete, MPI_STATUS_IGNORE);
    if (complete != 0) moved_bytes_ += found->second.bytes;
    transfers_.erase(found);
  }
}

void MovedBytes::freed(MPI_Request request) {
  const std::lock_guard lock(mutex_);
  transfers_.erase(key_of(request));
}

std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS) return 0;
  return count * static_cast<std::int64_t>(size);
}

std::int64_t bytes_of_all(std::int64_t count, MPI_Datatype type, MPI_Comm communicator) {
  int ranks = 0;
  PMPI_Comm_size(communicator, &ranks);
  return bytes_of(count, type) * ranks;
}

}  // namespace stretto::progress
