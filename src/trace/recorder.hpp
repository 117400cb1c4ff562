// SPDX-License-Identifier: BSD-3-Clause
// The recorder of this process, and the steps of a wrapper around its MPI call. note.hpp declares what is
// recorded for each call.
#pragma once

#include <mpi.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "memory/watch.hpp"
#include "trace/call_clock.hpp"
#include "trace/clock_offset.hpp"
#include "trace/contexts.hpp"
#include "trace/matched.hpp"
#include "trace/message_accesses.hpp"
#include "trace/peer_bytes.hpp"
#include "trace/poll_timing.hpp"
#include "trace/regions.hpp"
#include "trace/requests.hpp"
#include "trace/sent_work.hpp"
#include "trace/sites.hpp"
#include "trace/stream.hpp"
#include "trace/variables.hpp"

namespace stretto::trace {

/// State of one thread: its records, and scratch arrays for the duration of a call.
struct Thread {
  Thread(TraceFile& file, std::uint32_t number, bool counts) : stream(file, number), clock(counts) {}
  Stream stream;
  CallClock clock;
  PollTiming poll_timing;
  SiteCache sites;
  std::vector<MPI_Request> requests;
  std::vector<MPI_Status> statuses;
  std::vector<std::byte> fortran_statuses;  // of MPI_Fint, which MPI's standard ABI lacks
  std::vector<record::Record> completions;
  std::vector<memory::Range> unprotected;  // memory that the current call may touch
  unsigned all_unprotected = 0;            // calls that may touch unknown memory
};

class Recorder {
 public:
  /// Begins recording into STRETTO_TRACE_DIR. Collective over `all`, a communicator of all processes.
  /// Continues where recording has begun before.
  void start(MPI_Comm all, bool several_threads);
  /// Ends the recording, after MPI_Finalize.
  void stop() { end(true); }
  /// Completes the trace after the last session; another session may follow, which resumes the recording.
  void pause() { end(false); }
  void resume();
  /// Stops recording at MPI_Abort, from which some MPIs return before the process ends. Later calls are not
  /// recorded, and the trace has no trailer.
  void break_off();

  [[nodiscard]] bool active() const { return active_.load(std::memory_order_relaxed); }
  /// The observer of accesses to messages' data; null if there is none.
  [[nodiscard]] memory::Watch* watch() const { return watch_; }
  /// Whether memory may be protected, so that calls must unprotect the memory that they access.
  [[nodiscard]] bool protects_pages() const { return protects_pages_; }
  /// This process's rank in the trace.
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] std::uint64_t epoch_ns() const { return epoch_ns_.load(std::memory_order_relaxed); }
  Thread& thread() { return this_thread_ != nullptr ? *this_thread_ : new_thread(); }

  Contexts contexts;
  Requests requests;
  Matched matched;
  Sites sites;
  Regions regions;
  SentWork sent_work;
  MessageAccesses accesses;
  Variables variables;
  PeerBytes peer_bytes;

 private:
  void open(const std::string& directory, const ClockOffset& clock, bool several_threads);
  void end(bool for_good);
  void complete();
  Thread& new_thread();
  static void become_child();
  static void thread_ends(void* thread);

  static constinit inline thread_local Thread* this_thread_ = nullptr;

  std::atomic<bool> active_ = false;
  bool paused_ = false;
  memory::Watch* watch_ = nullptr;
  bool protects_pages_ = false;
  bool counts_ = false;                         // whether calls are timed by the time stamp counter
  std::atomic<std::uint64_t> epoch_ns_ = 0;     // 0: no exchange has found it yet
  std::atomic<std::uint64_t> proposed_ns_ = 0;  // what this process would have it be
  std::atomic<bool> unset_reported_ = false;
  int rank_ = 0;
  std::mutex starting_;
  TraceFile file_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::optional<pthread_key_t> ending_;  // of a limited file: tells of threads that end
};

/// Never destroyed: other libraries' destructors may still call MPI functions.
inline constinit std::atomic<Recorder*> the_recorder = nullptr;
/// Makes it, unless another thread has.
[[nodiscard]] Recorder& made_recorder();
[[nodiscard]] inline Recorder& recorder() {
  Recorder* const one = the_recorder.load(std::memory_order_acquire);
  return one != nullptr ? *one : made_recorder();
}

/// Whether an error says that a message was longer than its buffer.
[[nodiscard]] bool is_truncated(int error);

/// The recording of one call, for the duration of the call. MPI calls that the MPI library makes inside are
/// not recorded. The program's error handler may leave the call by an exception, or by longjmp.
class Call {
 public:
  Call(std::uint16_t number, void* site);
  /// A call that may find nothing, and is made in loops.
  struct Polls {};
  Call(std::uint16_t number, void* site, Polls /*kind*/) : site_(site), number_(number) {
    if (!is_recorded()) return;
    untimed_ = thread_->poll_timing.may_skip() && thread_->stream.is_polling();
    if (untimed_) {
      thread_->stream.state_call(record::pack_field(0, number_));
    } else {
      begin();
    }
  }
  ~Call() {
    if (untimed_) {
      thread_->stream.state_call(0);
    } else if (thread_ != nullptr) {
      end();
    }
    depth_ = outer_calls_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Whether the call is to be recorded.
  [[nodiscard]] explicit operator bool() const { return thread_ != nullptr; }
  /// Ends the call with its error code. Returns whether its arguments are to be recorded; a failed call is
  /// recorded without them.
  [[nodiscard]] bool ended(int error) { return untimed_ && error == MPI_SUCCESS ? true : ended_timed(error); }
  /// The same for a call that receives: a truncated message was received, and the arguments say which.
  [[nodiscard]] bool ended_receiving(int error) { return ended(is_truncated(error) ? MPI_SUCCESS : error); }
  /// The same for a wait or a test, where MPI_ERR_IN_STATUS says that some operations are complete. Null: not
  /// known which. The caller records a failed one.
  [[nodiscard]] bool ended_waiting(int error, const MPI_Status* statuses);
  /// Whether the statuses say which of the operations have failed.
  [[nodiscard]] bool partly_failed() const { return partly_failed_; }

  /// Unprotects memory that the call, or the kernel for it, may access until the call or the operation that
  /// it starts is complete.
  void unprotect(memory::Range data) const;
  void unprotect_all() const;
  void reprotect() const;
  /// The site number of the call.
  [[nodiscard]] std::uint16_t site() const {
    return recorder().sites.number_of(site_, thread_->sites, thread_->stream);
  }

  /// The number of the variable that the buffer belongs to; 0: not known, or data is not watched.
  [[nodiscard]] std::uint32_t variable(const void* buffer) const {
    return recorder().watch() == nullptr
               ? 0
               : recorder().variables.number_of(buffer, recorder().sites, thread_->stream);
  }

  [[nodiscard]] static bool inside() { return depth_ > 0; }
  /// To be called before longjmp, which may leave the calls of this thread.
  static void jumps() { jumped_ = depth_ > 0; }
  [[nodiscard]] Thread& thread() const { return *thread_; }
  [[nodiscard]] Context& context(MPI_Comm comm) const {
    return recorder().contexts.of(comm, thread_->stream);
  }
  /// A record of this call; with `call` other than 0, a record that belongs to it.
  [[nodiscard]] record::Record record(std::uint16_t call = 0) const;
  void append(const record::Record& record) const {
    thread_->stream.append(record);
    if (written_ == 0) written_ = thread_->stream.position();
  }
  /// Appends the call's record where the call found nothing complete.
  void append_poll(const record::Record& record) const {
    if (!untimed_) return append_timed_poll(record);
    if (!thread_->stream.count_poll(record)) return append_late_poll(record);
    thread_->poll_timing.skipped();
  }
  /// The same for a call of which nothing else is recorded.
  void append_poll() const {
    if (!untimed_) return append_timed_poll(record());
    if (!thread_->stream.count_poll(number_, site())) return append_late_poll(record());
    thread_->poll_timing.skipped();
  }
  /// The call cannot be counted with the polls before it. Gives it a time, if it has none.
  void end_counting() const;
  [[nodiscard]] std::uint16_t number() const { return number_; }

 private:
  [[nodiscard]] bool is_recorded() {
    if (jumped_) forget_left_calls(this);
    if (depth_ == 0) outermost_ = this;
    outer_calls_ = depth_++;
    if (outer_calls_ != 0 || !recorder().active()) return false;
    thread_ = &recorder().thread();
    return true;
  }
  static void forget_left_calls(const void* inner);
  void begin();
  [[nodiscard]] bool ended_timed(int error);
  void append_failed() const;
  void end() const;
  void left_by_exception() const noexcept;
  void append_timed_poll(const record::Record& record) const;
  void append_late_poll(record::Record record) const;

  static constinit inline thread_local int depth_ = 0;
  static constinit inline thread_local const void* outermost_ = nullptr;
  static constinit inline thread_local bool jumped_ = false;

  Thread* thread_ = nullptr;
  void* site_;
  mutable std::uint64_t begin_ns_ = 0;
  mutable std::uint64_t end_ns_ = 0;
  int outer_calls_ = 0;
  std::uint16_t number_;
  bool partly_failed_ = false;
  bool untimed_ = false;               // a poll; the clock is not read unless it finds something
  mutable std::uint64_t written_ = 0;  // where in the file the call's own record ends
};

struct CallName {
  const char* name;
  const char* kind;
};
/// The calls of calls.txt that this MPI has; the first is call record::first_call.
extern const CallName call_names[];
extern const std::size_t calls;
extern const std::uint16_t call_init;
extern const std::uint16_t call_init_thread;
extern const std::uint16_t call_finalize;
extern const std::uint16_t call_abort;
extern const std::uint16_t call_session_init;
extern const std::uint16_t call_session_finalize;
extern const std::uint16_t call_comm_create_from_group;

}  // namespace stretto::trace
