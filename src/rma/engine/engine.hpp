// SPDX-License-Identifier: BSD-3-Clause
// The message path of one rank: sends the packets of its operations, serves those of others. Buffers come
// from pools of fixed size, all receives are posted ahead, and whoever calls progress() moves everything.
// Knows nothing of handles or waiting.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "mpi/communicator.hpp"
#include "rma/engine/buffer_pool.hpp"
#include "rma/engine/operation.hpp"
#include "rma/path/counter_table.hpp"

namespace stretto::rma {

/// What a helper finds at one look.
struct Traffic {
  bool any = false;
  bool left = false;   // requests wait for its next look, which answers more of them
  bool bulk = false;   // a packet's worth of data, while the program called nobody
  bool taken = false;  // so much was for the program itself, since the look before
  double filled = 0;   // the share of a pool's buffers that were done with: of the pool where it is most
};

class Engine {
 public:
  /// `segment_bytes` of data go into a packet; `slots` buffers for each purpose, and twice as many for
  /// replies. Requests may come from `sources`, ranks of `parent`. `announcing`: large blocks are put from
  /// where they are, which is complete when the target's runtime, and not only its MPI, has looked.
  /// Collective.
  Engine(MPI_Comm parent, std::size_t segment_bytes, int slots, const std::vector<int>& sources,
         bool announcing, CounterTable& counters);
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
  /// The same for the helper: nothing when somebody else is at it, and few answers where its look before
  /// found little. What it throws, progress() throws next.
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
  /// What a large put has asked `target` by itself: done when all that was sent there so far is. nullptr
  /// where more was sent since, or nothing was asked.
  [[nodiscard]] std::shared_ptr<Operation> asked(int target);
  /// Whether replies of this rank are still on their way out of its memory.
  [[nodiscard]] bool is_replying();

  [[nodiscard]] std::size_t packet_bytes() const { return packet_bytes_; }

 private:
  static constexpr int request_tag = 0;
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  struct Arrival {
    int slot = 0;
    int source = 0;
    std::size_t length = 0;
    std::size_t served_bytes = 0;  // of one block that goes or comes apart
    PacketHeader header;
  };

  bool progress_locked();
  /// In the order of their requests.
  [[nodiscard]] std::array<PacketPool*, 5> pools() {
    return {&incoming_, &landing_, &outgoing_, &replies_in_, &replies_out_};
  }
  bool complete_requests();
  void complete(std::size_t index, const MPI_Status& status);
  void reply_arrived(int slot);
  void packet_left(int slot);
  bool pump();
  /// Sends the next packet of an operation; false where no buffer is free.
  bool send_packet(const std::shared_ptr<Operation>& operation);
  static PacketHeader fill(Operation& operation, PacketWriter& writer, std::vector<Piece>& pieces);
  /// Of how many whole segments of one block the next packet may speak: those that a get asks for, or a put
  /// announces; less than two where it is a packet like others.
  [[nodiscard]] std::size_t segments_apart(const Operation& operation) const;
  /// Whether a get that has replies under way should wait until a quarter of the buffers for them are free,
  /// for each request wakes its target.
  [[nodiscard]] bool asks_for_few(const Operation& operation, std::size_t segments) const;
  /// For `size_bytes` in all, which go to `pieces`. Returns the number of the first.
  std::uint32_t expect_replies(const std::shared_ptr<Operation>& operation, std::size_t size_bytes,
                               std::vector<Piece>&& pieces);
  void expect_reply(const std::shared_ptr<Operation>& operation, std::size_t size_bytes,
                    std::vector<Piece>&& pieces);
  void send_apart(const std::shared_ptr<Operation>& operation, const Piece& block, std::uint32_t number);
  void ask_when_done(int target);
  void post_receive(int slot);

  bool serve();
  bool serve_packet(Arrival& arrival);
  bool serve_get(Arrival& arrival, std::span<const std::byte> packet);
  [[nodiscard]] std::byte* only_block(const PacketHeader& header, std::span<const std::byte> packet) const;
  bool serve_block(Arrival& arrival, const std::byte* block);
  bool serve_announced(Arrival& arrival, std::span<const std::byte> packet);
  [[nodiscard]] bool must_wait(const Arrival& arrival) const;
  void serve_blocks(std::span<const std::byte> packet, const PacketHeader& header);
  void reply(int source, int tag, int slot, const std::byte* data, std::size_t size_bytes);
  [[nodiscard]] std::byte* memory(std::uint32_t region, std::uint64_t offset, std::size_t size_bytes) const;
  void end_receives();

  mpi::Communicator requests_communicator_;
  mpi::Communicator replies_communicator_;
  std::size_t segment_bytes_;
  std::size_t packet_bytes_;
  bool announcing_;
  CounterTable& counters_;
  std::vector<int> sources_;  // whom the receives wait for, in turn; empty: for anybody

  std::mutex mutex_;
  // MPI's requests of all pools in one row: receives of requests and of announced data, then requests and
  // data sent, replies to come, replies sent. One call looks at them, up to the last pool of which any is
  // under way.
  std::vector<MPI_Request> requests_;
  std::vector<int> completed_;
  std::vector<MPI_Status> statuses_;
  PacketPool incoming_;
  PacketPool landing_;
  PacketPool outgoing_;
  PacketPool replies_in_;
  PacketPool replies_out_;
  struct Expected {
    std::shared_ptr<Operation> operation;
    std::vector<Piece> pieces;  // where the reply goes; one piece is received in place
  };
  std::vector<Expected> expected_;                   // one a slot of replies_in_
  std::vector<int> sent_to_;                         // one a slot of outgoing_
  std::vector<std::shared_ptr<Operation>> sent_of_;  // and whose announced data it is, if any
  std::vector<int> lands_from_;                      // one a slot of landing_

  std::deque<std::shared_ptr<Operation>> unsent_;  // operations with packets still to be sent
  std::vector<Arrival> arrived_;                   // not served yet
  std::vector<std::uint64_t> next_sent_;           // sequence numbers, one a target
  std::vector<std::uint64_t> next_served_;         // and one a source
  std::vector<std::uint32_t> next_reply_;          // numbers, one a target
  std::vector<std::uint32_t> next_apart_;          // of announced data, one a target
  std::vector<int> to_land_;                       // messages of announced data, one count a source
  std::vector<std::uint64_t> stores_sent_;         // packets without a reply, one count a target
  std::vector<std::uint64_t> stores_done_;         // those of them that a fence has answered for
  std::vector<std::shared_ptr<Operation>> asked_;  // one a target: the last fence that a large put sent
  std::unordered_map<std::uint32_t, std::span<std::byte>> regions_;
  std::size_t moved_bytes_ = 0;              // since the helper began to look
  std::size_t most_bytes_ = no_limit;        // that it may move before it leaves the rest
  std::atomic<std::size_t> taken_bytes_{0};  // that the program moved since the helper's last look
  bool called_ = false;                      // by the program, since the helper last held the mutex
  std::exception_ptr failure_;               // of the helper
};

}  // namespace stretto::rma
