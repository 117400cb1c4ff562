// SPDX-License-Identifier: BSD-3-Clause
// The message path of one rank, or one context of it: it sends the packets of this rank's operations and
// serves the requests of other ranks. Buffers come from pools of fixed size, all receives are posted in
// advance, and whichever thread calls progress() moves everything. The engine knows no handles and no
// waiting, and runs no handlers of active messages: contexts.hpp does.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "mpi/communicator.hpp"
#include "onesided/engine/buffer_pool.hpp"
#include "onesided/engine/operation.hpp"
#include "onesided/engine/received_calls.hpp"
#include "onesided/memory/threading.hpp"
#include "onesided/path/counter_table.hpp"
#include "progress/thread/service_policy.hpp"

namespace stretto::onesided {

struct EngineOptions {
  std::size_t segment_bytes = 0;
  int slots = 0;
  bool use_rendezvous = false;
  bool copies_all = false;
};

class Engine {
 public:
  /// A packet carries `segment_bytes` of data. There are `slots` buffers for each purpose, and twice as many
  /// for replies. Requests may come from `sources`, ranks of `parent`. With `use_rendezvous`, large blocks
  /// are put from where they are. Such a put is complete when the target's runtime, and not only its MPI, has
  /// made progress. With `copies_all`, MPI sends from and receives into the engine's buffers only, so that an
  /// operation can be abandoned at any time. Active messages are left in `calls`. Collective.
  Engine(MPI_Comm parent, const EngineOptions& options, const std::vector<int>& sources,
         CounterTable& counters, ReceivedCalls& calls);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  /// No request of this rank or to it may be outstanding.
  ~Engine();

  /// Memory that requests may name, and the lock of its updates that are not aligned.
  struct Memory {
    std::span<std::byte> memory;
    int* lock = nullptr;
  };
  void add_region(std::uint32_t region, Memory memory);
  void remove_region(std::uint32_t region);

  /// Sends the first packet, and as many more as there are buffers for; progress() sends the rest. False
  /// where all buffers are in use, and then nothing was sent.
  [[nodiscard]] bool try_start(const std::shared_ptr<MessageOperation>& operation);
  /// Sends nothing more of an operation. With `copies_all` it uses no memory of the program from here on:
  /// replies that are outstanding are dropped when they come. Else it does until it is done.
  void abandon(MessageOperation& operation);
  /// Abandons all, because nobody makes progress any more.
  void abandon_all();
  /// Whether MPI sends from, or receives into, memory of the program, for an operation or for any.
  [[nodiscard]] bool uses_program_memory(const MessageOperation* operation = nullptr);
  /// Whether replies to abandoned operations are outstanding.
  [[nodiscard]] bool awaits_abandoned();
  /// A rank that has not yet received, or answered, what is in the buffers.
  [[nodiscard]] int blocking_rank();

  /// Moves what can be moved. True when anything was. Throws also what the progress thread has caught.
  bool progress();
  /// The same, but does nothing while another thread moves what can be moved.
  bool progress_unless_busy();
  /// One poll of the progress thread. It does nothing while another thread is in progress(), and serves few
  /// requests where the poll before found little. What it catches, progress() throws next.
  progress::PollResult try_progress() noexcept;
  /// Does what the progress thread does besides. What it throws, progress() throws next.
  void guard(const std::function<void()>& work) noexcept;
  /// What the next call of progress() would throw; then it throws nothing. nullptr: nothing.
  [[nodiscard]] std::exception_ptr take_failure();
  /// Orders what the progress thread did in this rank's memory before what the caller does next, and the
  /// other way round. Messages of other ranks order both for the machine, but not in the language.
  void synchronise_memory() { const std::lock_guard lock(mutex_); }

  /// The last of this rank's operations to `target` with packets still to be sent, or nullptr. Once it is
  /// sent, so are those before it.
  [[nodiscard]] std::shared_ptr<MessageOperation> last_unsent(int target);
  [[nodiscard]] bool is_sent(const MessageOperation& operation);
  /// Whether `target` may have stores of this rank still to do, so that a fence is needed.
  [[nodiscard]] bool is_dirty(int target);
  /// The completion query that a large put has sent to `target`: done when all stores sent so far are.
  /// nullptr where more was sent since, or where there was no query.
  [[nodiscard]] std::shared_ptr<MessageOperation> completion_query(int target);
  /// Queries when all stores that this rank has started to `target` are done there, and returns at once.
  /// nullptr where they are.
  [[nodiscard]] std::shared_ptr<MessageOperation> start_query(int target);
  /// The same with a query of the caller, whatever was sent.
  void start_query(const std::shared_ptr<MessageOperation>& query);
  /// Whether nothing of this rank is outstanding or still to be sent.
  [[nodiscard]] bool is_idle();
  /// Whether replies of this rank are still being sent from its memory.
  [[nodiscard]] bool is_replying();
  /// Whether that, or segments of others' puts are still being received into its memory.
  [[nodiscard]] bool is_serving();

  [[nodiscard]] std::size_t packet_bytes() const { return packet_bytes_; }

 private:
  static constexpr int request_tag = 0;
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  /// A request that was received and is not served yet.
  struct Arrival {
    int slot = 0;
    int source = 0;
    std::size_t length = 0;
    std::size_t served_bytes = 0;  // of one block that moves in segments
    PacketHeader header;
  };

  bool progress_of_program();
  bool progress_locked();
  /// In the order of their requests.
  [[nodiscard]] std::array<BufferPool*, 5> pools() {
    return {&request_receives_, &segment_receives_, &request_sends_, &reply_receives_, &reply_sends_};
  }
  bool complete_requests();
  void complete(std::size_t index, const MPI_Status& status);
  void reply_received(int slot);
  void send_completed(int slot);
  bool send_queued();
  /// Sends the next packet of an operation; false where no buffer is free.
  bool send_packet(const std::shared_ptr<MessageOperation>& operation);
  static PacketHeader fill(MessageOperation& operation, PacketWriter& writer, std::vector<Piece>& pieces);
  /// The segments of one block that the next packet may request (a get: whole ones) or has to have in its RTS
  /// (a put: the last one may be shorter). With none of a put, the packet is eager.
  [[nodiscard]] std::size_t detached_segments(const MessageOperation& operation) const;
  /// Whether a get with outstanding replies should wait until a quarter of the reply receives are free,
  /// because each request wakes its target; or a put by rendezvous for as many send buffers.
  [[nodiscard]] bool waits_for_credits(const MessageOperation& operation, std::size_t segments) const;
  /// Receives for `size_bytes` in all, into `pieces`. Returns the number of the first reply.
  std::uint32_t post_reply_receives(const std::shared_ptr<MessageOperation>& operation,
                                    std::size_t size_bytes, std::vector<Piece>&& pieces);
  void post_reply_receive(const std::shared_ptr<MessageOperation>& operation, std::size_t size_bytes,
                          std::vector<Piece>&& pieces);
  void send_segments(const std::shared_ptr<MessageOperation>& operation, const Piece& block,
                     std::uint32_t number);
  void query_completion(int target);
  [[nodiscard]] bool has_unsent(int target) const;
  void send_query(const std::shared_ptr<MessageOperation>& query);
  void post_request_receive(int slot);
  /// Receives the requests that have come, as many as there are buffers.
  void receive_probed();

  bool serve();
  bool serve_packet(Arrival& arrival);
  bool serve_get(Arrival& arrival, std::span<const std::byte> packet);
  [[nodiscard]] std::byte* single_block(const PacketHeader& header, std::span<const std::byte> packet) const;
  bool reply_block(Arrival& arrival, const std::byte* block);
  bool serve_rendezvous(Arrival& arrival, std::span<const std::byte> packet);
  void receive_call(const Arrival& arrival, std::span<const std::byte> packet);
  void raise(const PacketFlag& flag) const;
  void serve_blocks(std::span<const std::byte> packet, const PacketHeader& header);
  void reply(int source, int tag, int slot, const std::byte* data, std::size_t size_bytes);
  [[nodiscard]] std::byte* memory(std::uint32_t region, std::uint64_t offset, std::size_t size_bytes) const;
  void end_receives();

  mpi::Communicator requests_communicator_;
  mpi::Communicator replies_communicator_;
  std::size_t segment_bytes_;
  std::size_t packet_bytes_;
  bool use_rendezvous_;
  bool copies_all_;
  CounterTable& counters_;
  std::vector<int> sources_;  // of the request receives, one after the other; empty: MPI_ANY_SOURCE
  bool probes_;               // requests are received when a probe has found them, and not posted for

  Mutex mutex_;
  // MPI's requests of all pools in one array: receives of requests, receives of rendezvous segments, sends of
  // requests and segments, receives of replies, sends of replies. One call tests them, up to the end of the
  // last pool with an outstanding request.
  std::vector<MPI_Request> requests_;
  std::vector<int> completed_;
  std::vector<MPI_Status> statuses_;
  BufferPool request_receives_;
  BufferPool segment_receives_;
  BufferPool request_sends_;
  BufferPool reply_receives_;
  BufferPool reply_sends_;
  struct OutstandingReply {
    std::shared_ptr<MessageOperation> operation;
    std::vector<Piece> pieces;  // where the reply goes
    bool in_place = false;      // a single piece that MPI receives where it belongs
  };
  std::vector<OutstandingReply> outstanding_replies_;  // by slot of reply_receives_
  std::vector<int> send_targets_;                      // by slot of request_sends_
  std::vector<std::shared_ptr<MessageOperation>>
      send_operations_;               // by the same slot, of a rendezvous segment; or nullptr
  std::vector<int> segment_sources_;  // by slot of segment_receives_

  std::deque<std::shared_ptr<MessageOperation>> send_queue_;  // operations with packets still to be sent
  std::vector<Arrival> arrivals_;
  std::vector<std::uint64_t> next_sent_;     // sequence numbers, by target
  std::vector<std::uint64_t> next_served_;   // sequence numbers, by source
  std::vector<std::uint32_t> next_reply_;    // numbers of replies, by target
  std::vector<std::uint32_t> next_segment_;  // numbers of rendezvous segments, by target
  std::vector<int> outstanding_segments_;    // rendezvous segments still to be received, by source
  std::vector<std::uint64_t> stores_sent_;   // packets without a reply, by target
  std::vector<std::uint64_t> stores_done_;   // how many of them a fence has covered, by target
  std::vector<std::shared_ptr<MessageOperation>>
      completion_queries_;  // the last one of a large put, by target
  std::unordered_map<std::uint32_t, Memory> regions_;
  ReceivedCalls& calls_;
  std::size_t moved_bytes_ = 0;           // since the progress thread's poll began
  std::size_t byte_budget_ = no_limit;    // of that poll: it leaves the rest to the next one
  Atomic<std::size_t> program_bytes_{0};  // moved by the program since the progress thread's last poll
  bool program_called_ = false;           // since the progress thread last held the mutex
  std::exception_ptr failure_;            // of the progress thread
};

}  // namespace stretto::onesided
