// SPDX-License-Identifier: BSD-3-Clause
// The message path of one rank: sends the packets of its operations, serves those of others. Buffers come
// from pools of fixed size, all receives are posted ahead, and whoever calls progress() moves everything.
// Knows nothing of handles or waiting.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "mpi/communicator.hpp"
#include "rma/counter_table.hpp"
#include "rma/operation.hpp"
#include "rma/packet_pool.hpp"

namespace stretto::rma {

/// What a helper finds at one look.
struct Traffic {
  bool any = false;
  bool bulk = false;  // a packet's worth of data, while the program called nobody
  double filled = 0;  // the share of a pool's buffers that were done with: of the pool where it is most
};

class Engine {
 public:
  /// `segment_bytes` of data go into a packet; `slots` buffers for each purpose. Requests may come from
  /// `sources`, ranks of `parent`. Collective.
  Engine(MPI_Comm parent, std::size_t segment_bytes, int slots, const std::vector<int>& sources,
         CounterTable& counters);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  /// No request of this rank or to it may be under way.
  ~Engine();

  /// Memory that requests may name.
  void add_region(std::uint32_t region, std::span<std::byte> memory);
  void remove_region(std::uint32_t region);

  /// The first packet leaves, and what else there are buffers for; the rest follows from progress(). False,
  /// and nothing has left, where all buffers are in use.
  [[nodiscard]] bool try_start(const std::shared_ptr<Operation>& operation);
  /// A rank that has not yet taken, or answered, what is in the buffers.
  [[nodiscard]] int holder();

  /// Moves what can be moved. True when anything did. Throws what the helper has met, too.
  bool progress();
  /// The same for the helper: nothing when somebody else is at it. What it throws, progress() throws next.
  Traffic try_progress() noexcept;
  /// What the helper did in this rank's memory happens before what the caller does next, and the other way
  /// round: that another rank's messages came between them says so to the machine, and not to the language.
  void order_helper() { const std::lock_guard lock(mutex_); }

  /// The last of this rank's operations to `target` of which packets are still to be sent, or nullptr. Once
  /// it is sent, so are those before it.
  [[nodiscard]] std::shared_ptr<Operation> last_unsent(int target);
  [[nodiscard]] bool is_sent(const Operation& operation);
  /// Whether `target` may not have done all that was asked of it, and a fence would be of use.
  [[nodiscard]] bool is_dirty(int target);
  /// Whether replies of this rank are still on their way out of its memory.
  [[nodiscard]] bool is_replying();

  [[nodiscard]] std::size_t packet_bytes() const { return packet_bytes_; }

 private:
  struct Arrival {
    int slot = 0;
    int source = 0;
    std::size_t length = 0;
    PacketHeader header;
  };

  bool progress_locked();
  /// In the order of their requests.
  [[nodiscard]] std::array<PacketPool*, 4> pools() {
    return {&incoming_, &outgoing_, &replies_in_, &replies_out_};
  }
  bool complete_requests();
  void complete(std::size_t index, const MPI_Status& status);
  void reply_arrived(int slot);
  bool pump();
  /// Sends the next packet of an operation; false where no buffer is free.
  bool send_packet(const std::shared_ptr<Operation>& operation);
  static PacketHeader fill(Operation& operation, PacketWriter& writer, std::vector<Piece>& pieces);
  int post_reply_receive(const std::shared_ptr<Operation>& operation, std::size_t size_bytes,
                         std::vector<Piece>&& pieces);
  void post_receive(int slot);

  bool serve();
  bool serve_packet(const Arrival& arrival);
  bool serve_get(const Arrival& arrival, std::span<const std::byte> packet);
  void serve_blocks(std::span<const std::byte> packet, const PacketHeader& header);
  void reply(int source, int tag, int slot, const std::byte* data, std::size_t size_bytes);
  [[nodiscard]] std::byte* memory(std::uint32_t region, std::uint64_t offset, std::size_t size_bytes) const;
  void end_receives();

  mpi::Communicator requests_communicator_;
  mpi::Communicator replies_communicator_;
  std::size_t segment_bytes_;
  std::size_t packet_bytes_;
  CounterTable& counters_;
  std::vector<int> sources_;  // whom the receives wait for, in turn; empty: for anybody

  std::mutex mutex_;
  // MPI's requests of all pools in one row: receives of requests, then requests sent, replies to come,
  // replies sent. One call looks at them, up to the last pool of which any is under way.
  std::vector<MPI_Request> requests_;
  std::vector<int> completed_;
  std::vector<MPI_Status> statuses_;
  PacketPool incoming_;
  PacketPool outgoing_;
  PacketPool replies_in_;
  PacketPool replies_out_;
  struct Expected {
    std::shared_ptr<Operation> operation;
    std::vector<Piece> pieces;  // where the reply goes; one piece is received in place
  };
  std::vector<Expected> expected_;  // one a slot of replies_in_
  std::vector<int> sent_to_;        // one a slot of outgoing_

  std::deque<std::shared_ptr<Operation>> unsent_;  // operations with packets still to be sent
  std::vector<Arrival> arrived_;                   // not served yet
  std::vector<std::uint64_t> next_sent_;           // sequence numbers, one a target
  std::vector<std::uint64_t> next_served_;         // and one a source
  std::vector<std::uint64_t> stores_sent_;         // packets without a reply, one count a target
  std::vector<std::uint64_t> stores_done_;         // those of them that a fence has answered for
  std::unordered_map<std::uint32_t, std::span<std::byte>> regions_;
  std::size_t moved_bytes_ = 0;  // since the helper began to look
  bool called_ = false;          // by the program, since then
  std::exception_ptr failure_;   // of the helper
};

}  // namespace stretto::rma
