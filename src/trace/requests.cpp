// SPDX-License-Identifier: BSD-3-Clause
#include "trace/requests.hpp"

namespace stretto::trace {

std::uint32_t Requests::add(MPI_Request handle, std::uint16_t context, bool wildcard,
                            std::uint64_t max_bytes) {
  const auto held = lock();
  add_pending(handle,
              {.number = ++last_number_, .context = context, .wildcard = wildcard, .max_bytes = max_bytes});
  return last_number_;
}

void Requests::add_numbered(MPI_Request handle, std::uint16_t context, std::uint32_t number) {
  const auto held = lock();
  add_pending(handle, {.number = number, .context = context});
}

void Requests::add_pending(MPI_Request handle, const Pending& pending) {
  if (live_ >= 2 * buckets_.size()) grow();
  std::uint32_t node = spare_;
  if (node == none) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    spare_ = nodes_[node].next;
  }
  nodes_[node] = {.key = key_of(handle), .pending = pending};
  if (pending.needs_status()) ++status_needed_;
  ++live_;
  append(node);
}

Pending Requests::take(MPI_Request handle) {
  const auto held = lock();
  const std::uint64_t key = key_of(handle);
  Persistent* const one = persistent_of(key);
  if (one == nullptr) return take_pending(key);
  const Pending pending = {.number = one->active,
                           .context = one->context,
                           .wildcard = one->starts == Starts::receive && (one->peer < 0 || one->tag < 0),
                           .cancel_requested = one->cancel_requested,
                           .max_bytes = one->starts == Starts::receive ? one->bytes : 0};
  one->active = 0;
  one->cancel_requested = false;
  return pending;
}

void Requests::add_persistent(MPI_Request handle, const Persistent& persistent) {
  const auto held = lock();
  persistent_[key_of(handle)] = persistent;
  // The table does not know which of them are active, so their statuses are always requested.
  if (persistent.starts == Starts::receive) ++status_needed_;
}

const Persistent* Requests::persistent(MPI_Request handle) {
  const auto held = lock();
  return persistent_of(key_of(handle));
}

const Persistent* Requests::start(MPI_Request handle) {
  const auto held = lock();
  Persistent* const one = persistent_of(key_of(handle));
  if (one != nullptr) one->active = ++last_number_;
  return one;
}

std::uint32_t Requests::active_number(MPI_Request handle) {
  const auto held = lock();
  const Persistent* const one = persistent_of(key_of(handle));
  return one == nullptr ? 0 : one->active;
}

std::optional<Persistent> Requests::take_persistent(MPI_Request handle) {
  const auto held = lock();
  const auto found = persistent_.find(key_of(handle));
  if (found == persistent_.end()) return std::nullopt;
  const Persistent persistent = found->second;
  persistent_.erase(found);
  if (persistent.starts == Starts::receive) --status_needed_;
  return persistent;
}

std::uint32_t Requests::request_cancel(MPI_Request handle) {
  const auto held = lock();
  const std::uint64_t key = key_of(handle);
  if (Persistent* const one = persistent_of(key); one != nullptr) {
    if (!one->cancel_requested) ++status_needed_;  // not decremented when the start completes
    one->cancel_requested = true;
    return one->active;
  }
  const std::uint32_t node = node_of(key);
  if (node == none) return 0;
  Pending& pending = nodes_[node].pending;
  if (!pending.needs_status()) ++status_needed_;
  pending.cancel_requested = true;
  return pending.number;
}

bool Requests::is_cancel_requested(MPI_Request handle) {
  const auto held = lock();
  const std::uint64_t key = key_of(handle);
  if (const Persistent* const one = persistent_of(key); one != nullptr) return one->cancel_requested;
  const std::uint32_t node = node_of(key);
  return node != none && nodes_[node].pending.cancel_requested;
}

std::uint32_t Requests::node_of(std::uint64_t key) {
  std::uint32_t node = bucket(key);
  while (node != none && nodes_[node].key != key) node = nodes_[node].next;
  return node;
}

Pending Requests::take_pending(std::uint64_t key) {
  std::uint32_t* link = &bucket(key);
  while (*link != none && nodes_[*link].key != key) link = &nodes_[*link].next;
  if (*link == none) return {};
  const std::uint32_t node = *link;
  *link = nodes_[node].next;
  nodes_[node].next = spare_;
  spare_ = node;
  --live_;
  if (nodes_[node].pending.needs_status()) --status_needed_;
  return nodes_[node].pending;
}

void Requests::append(std::uint32_t node) {
  std::uint32_t* link = &bucket(nodes_[node].key);
  while (*link != none) link = &nodes_[*link].next;
  *link = node;
}

void Requests::grow() {
  std::vector<std::uint32_t> old(2 * buckets_.size(), none);
  old.swap(buckets_);
  --shift_;
  for (const std::uint32_t first : old) {
    for (std::uint32_t node = first; node != none;) {
      const std::uint32_t next = nodes_[node].next;
      nodes_[node].next = none;
      append(node);  // in the order in which they started
      node = next;
    }
  }
}

}  // namespace stretto::trace
