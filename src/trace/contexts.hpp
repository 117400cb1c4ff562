// SPDX-License-Identifier: BSD-3-Clause
// Communicators and windows get numbers in the trace, and their members are written as the trace's ranks
// (world.hpp). All members of a communicator compute the same key for it without communicating.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/trace_format.hpp"

namespace stretto::trace {

class Stream;

struct Context {
  std::uint16_t number = record::no_context;
  std::uint64_t key = 0;
  std::int32_t rank = 0;                    ///< this process's rank
  std::vector<std::int32_t> members;        ///< ranks in MPI_COMM_WORLD
  std::vector<std::int32_t> remote;         ///< remote group of an intercommunicator
  std::uint64_t children = 0;               ///< number of communicators made from it so far
  std::int32_t persistent_collectives = 0;  ///< number of those made on it so far
  std::int32_t out_degree = 0;              ///< number of outgoing neighbours in a topology
  std::int32_t in_degree = 0;

  /// Whether this process is the root that a call names.
  [[nodiscard]] bool is_root(int root) const { return root == MPI_ROOT || (remote.empty() && root == rank); }
  [[nodiscard]] const std::vector<std::int32_t>& peers() const { return remote.empty() ? members : remote; }
  /// The rank in MPI_COMM_WORLD of a rank that an MPI call names.
  [[nodiscard]] std::int32_t world(int peer) const {
    if (peer == MPI_ANY_SOURCE) return record::any_peer;
    if (peer < 0 || static_cast<std::size_t>(peer) >= peers().size()) return record::no_peer;
    return peers()[static_cast<std::size_t>(peer)];
  }
};

class Contexts {
  struct Birth {
    std::uint64_t parent_key;
    std::uint64_t ordinal;
    bool tagged = false;
  };

 public:
  /// The context of a handle. A handle of unknown origin is defined now, in `stream`.
  Context& of(MPI_Comm comm, Stream& stream);
  Context& of_window(MPI_Win window, Stream& stream);
  /// Whether the handle is known to be valid without asking MPI.
  [[nodiscard]] bool knows(MPI_Comm comm);

  /// Registers a communicator that `parent`'s `ordinal`-th construction made.
  void add(MPI_Comm made, std::uint64_t parent_key, std::uint64_t ordinal, Stream& stream);
  /// Registers a communicator that only its members made, with a tag. Those of the same members, parent and
  /// tag are numbered in the order in which they are made, which all members agree on.
  void add_tagged(MPI_Comm made, std::uint64_t parent_key, std::uint64_t tag, Stream& stream);
  /// Registers a communicator before MPI can name its members.
  void add_later(MPI_Comm made, std::uint64_t parent_key, std::uint64_t ordinal);
  void add_window(MPI_Win made, std::uint64_t bytes, Stream& stream);
  /// The number of a group's members, whatever its handle. Writes the definition of new ones to `stream`.
  [[nodiscard]] std::uint32_t number_of(MPI_Group group, Stream& stream);
  /// Enables locking, because several threads may call MPI at once.
  void be_shared() { shared_ = true; }

  /// What is known of a handle: its context, or how it was made if nothing has used it.
  struct Entry {
    std::unique_ptr<Context> context;
    std::optional<Birth> birth;
  };
  /// Removes a handle that MPI is about to free.
  [[nodiscard]] Entry take(MPI_Comm comm);
  [[nodiscard]] Entry take_window(MPI_Win window);
  void put_back(MPI_Comm comm, Entry entry);
  void put_back_window(MPI_Win window, Entry entry);
  /// Marks the number of what MPI has freed as unused.
  void give_up(std::uint16_t number);

 private:
  using Table = std::unordered_map<std::uint64_t, std::unique_ptr<Context>>;

  Context& define(MPI_Comm comm, Birth birth, Stream& stream);
  Context& define_window(MPI_Win window, std::uint64_t bytes, Stream& stream);
  [[nodiscard]] std::uint16_t next_number();
  /// The members of a group as ranks of the trace. The group of the world may come from another session than
  /// `group`; MPI 4 does not require that such groups can be compared, but MPICH and Open MPI compare them.
  [[nodiscard]] static std::vector<std::int32_t> world_ranks(MPI_Group group);

  [[nodiscard]] std::unique_lock<std::recursive_mutex> lock() {
    return shared_ ? std::unique_lock(mutex_) : std::unique_lock<std::recursive_mutex>();
  }

  std::recursive_mutex mutex_;
  bool shared_ = false;
  Table comms_;
  Table windows_;
  std::unordered_map<std::uint64_t, Birth> later_;
  std::unordered_map<std::uint64_t, std::uint64_t> made_before_;  // tagged ones, by key
  std::uint32_t made_ = 0;
  /// A number is given again when so many others are unused for less time. A reader takes the definitions of
  /// a piece of records before the records themselves, and a nonblocking operation may outlive its
  /// communicator: soon after, the number would have another meaning there.
  static constexpr std::size_t min_unused = std::size_t{1} << 14U;
  std::deque<std::uint16_t> unused_;  // the longest unused one first
  static constexpr std::size_t max_groups = 1024;
  std::map<std::vector<std::int32_t>, std::uint32_t> groups_;  // the latest
  std::uint32_t last_group_ = 0;
};

}  // namespace stretto::trace
