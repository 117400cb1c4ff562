// SPDX-License-Identifier: BSD-3-Clause
// The recorder of this process, and what a wrapper does around its MPI call. What is noted of a call is the
// matter of note.hpp.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/watch.hpp"
#include "trace/contexts.hpp"
#include "trace/matched.hpp"
#include "trace/requests.hpp"
#include "trace/sites.hpp"
#include "trace/stream.hpp"

namespace stretto::trace {

/// What is a thread's own: its records, and room for what a call needs while it lasts.
struct Thread {
  Thread(TraceFile& file, std::uint32_t number) : stream(file, number) {}
  Stream stream;
  SiteCache sites;
  std::vector<MPI_Request> requests;
  std::vector<MPI_Status> statuses;
  std::vector<MPI_Fint> fortran_statuses;
  std::vector<record::Record> completions;
  std::vector<memory::Range> loan;  // what the call at hand may touch
  unsigned whole_loans = 0;         // and for how many nobody knows what
};

class Recorder {
 public:
  /// Begins to record where STRETTO_TRACE_DIR says; after MPI_Init. Collective over the world.
  void start(bool several_threads);
  /// Before MPI_Finalize ends MPI, and after it.
  void stop();
  /// With MPI_Abort, which some MPIs return from before the end comes: what is done then is not recorded, and
  /// the trace stays without its trailer.
  void break_off();

  [[nodiscard]] bool active() const { return active_.load(std::memory_order_relaxed); }
  /// Who looks at accesses to messages' data; null: nobody.
  [[nodiscard]] memory::Watch* watch() const { return watch_; }
  /// Memory may be protected, so that calls have to say what they touch.
  [[nodiscard]] bool lends() const { return lends_; }
  [[nodiscard]] std::uint64_t epoch_ns() const { return epoch_ns_; }
  Thread& thread();

  Contexts contexts;
  Requests requests;
  Matched matched;
  Sites sites;

 private:
  std::atomic<bool> active_ = false;
  memory::Watch* watch_ = nullptr;
  bool lends_ = false;
  std::uint64_t epoch_ns_ = 0;
  TraceFile file_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

/// Never destroyed: other libraries' destructors may still call MPI functions.
[[nodiscard]] Recorder& recorder();

/// Around one call. Calls that an MPI function makes in its turn are not the application's.
class Call {
 public:
  Call(std::uint16_t number, void* site);
  ~Call() {
    if (thread_ != nullptr && (!thread_->loan.empty() || thread_->whole_loans > 0)) give_back();
    --depth_;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The call is to be noted.
  [[nodiscard]] explicit operator bool() const { return thread_ != nullptr; }
  /// It is over, with this error code; true when there is something to note of it. A failed call is noted
  /// without what it was about.
  [[nodiscard]] bool ended(int error);

  /// It, or the kernel for it, may touch this; until it is over, or what it starts.
  void lend(memory::Range data) const;
  void lend_all() const;
  void give_back() const;

  [[nodiscard]] static bool inside() { return depth_ > 0; }
  [[nodiscard]] Thread& thread() const { return *thread_; }
  [[nodiscard]] Context& context(MPI_Comm comm) const {
    return recorder().contexts.of(comm, thread_->stream);
  }
  /// A record of this call; `call` other than 0: of what belongs to it.
  [[nodiscard]] record::Record record(std::uint16_t call = 0) const;
  void append(const record::Record& record) const { thread_->stream.append(record); }
  [[nodiscard]] std::uint16_t number() const { return number_; }

 private:
  static thread_local int depth_;

  Thread* thread_ = nullptr;
  void* site_;
  std::uint64_t begin_ns_ = 0;
  std::uint64_t end_ns_ = 0;
  std::uint16_t number_;
};

struct CallName {
  const char* name;
  const char* kind;
};
/// Of calls.txt, those that this MPI has; the first is call record::first_call.
extern const CallName call_names[];
extern const std::size_t calls;
extern const std::uint16_t call_init;
extern const std::uint16_t call_init_thread;
extern const std::uint16_t call_finalize;
extern const std::uint16_t call_abort;

}  // namespace stretto::trace
