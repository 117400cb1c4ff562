// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests by what they transfer. A request is created when a transfer is started for the first
// time, and used again for each equal transfer. Programs keep an array of them; the order of use is
// remembered, so that finding a request costs a comparison.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "exchange/channel.hpp"

namespace stretto::exchange {

class PreparedRequests {
 public:
  PreparedRequests() = default;
  PreparedRequests(const PreparedRequests&) = delete;
  PreparedRequests& operator=(const PreparedRequests&) = delete;
  ~PreparedRequests() { clear(); }

  /// The inactive request of this transfer, created by `create(MPI_Request&)` if there is none; it counts as
  /// active until release(). Ranks that start equal transfers in one order get requests created in one order,
  /// which partitioned communication needs.
  template <typename Create>
  [[nodiscard]] MPI_Request& acquire(bool sends, const Transfer& transfer, int parts, const Create& create) {
    Bucket& bucket = bucket_of(
        {sends, transfer.peer, parts, transfer.size_bytes, transfer.offset_bytes, transfer.receive_offset()});
    if (bucket.active == bucket.requests.size()) {
      MPI_Request request = MPI_REQUEST_NULL;
      create(request);
      bucket.requests.push_back(request);
    }
    used_.push_back(&bucket);
    return bucket.requests[bucket.active++];
  }

  /// All acquired requests are inactive again.
  void release() {
    for (Bucket* bucket : used_) bucket->active = 0;
    used_.clear();
  }

  /// Frees all requests; none may be active.
  void clear() {
    for (auto& [key, bucket] : buckets_) {
      for (MPI_Request& request : bucket.requests) MPI_Request_free(&request);
    }
    buckets_.clear();
    used_.clear();
    last_ = nullptr;
  }

 private:
  using Key = std::tuple<bool, int, int, std::size_t, std::size_t, std::size_t>;
  struct Bucket {
    Key key;
    std::vector<MPI_Request> requests;
    std::size_t active = 0;  // the first so many are in use
    Bucket* next = nullptr;  // the bucket that was used after this one last time
  };

  Bucket& bucket_of(const Key& key) {
    Bucket* found = last_ == nullptr ? nullptr : last_->next;
    if (found == nullptr || found->key != key) {
      found = &buckets_.try_emplace(key).first->second;
      found->key = key;
      if (last_ != nullptr) last_->next = found;
    }
    last_ = found;
    return *found;
  }

  std::map<Key, Bucket> buckets_;  // nodes stay where they are
  std::vector<Bucket*> used_;
  Bucket* last_ = nullptr;
};

}  // namespace stretto::exchange
