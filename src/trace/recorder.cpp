// SPDX-License-Identifier: BSD-3-Clause
#include "trace/recorder.hpp"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "memory/pages.hpp"
#include "mpi/plain_numbers.hpp"
#include "trace/header_text.hpp"
#include "trace/live_frame.hpp"
#include "trace/not_cancelled.hpp"
#include "trace/world.hpp"

namespace stretto::trace {
namespace {

/// The bytes that all ranks' files may have: STRETTO_TRACE_LIMIT; 0: there is no limit.
std::uint64_t requested_limit() {
  const char* const text = std::getenv("STRETTO_TRACE_LIMIT");
  if (text == nullptr) return 0;
  std::uint64_t limit = 0;
  const std::string_view digits(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), limit);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size() && limit > 0;
  return is_number ? limit : 1;  // too small a limit for anything, which is reported
}

/// A directory of its own for a program that was started by MPI_Comm_spawn, which has ranks from 0, too. Its
/// rank 0 makes one. Empty where that fails, and under a limit, which is for the files of one program.
std::string spawned_directory(const std::string& directory, int rank) {
  constexpr int max_spawned = 10'000;
  if (requested_limit() != 0) return "";
  std::array<char, 16> name{};
  for (int number = 1; rank == 0 && number < max_spawned; ++number) {
    std::snprintf(name.data(), name.size(), "/spawned-%04d", number);
    if (::mkdir((directory + name.data()).c_str(), 0777) == 0) break;
    const bool exists = errno == EEXIST;
    name[0] = '\0';
    if (!exists) break;
  }
  PMPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  return name[0] == '\0' ? "" : directory + name.data();
}

bool is_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

std::string file_name(const std::string& directory, int rank) {
  char name[32];
  std::snprintf(name, sizeof name, "/rank-%06d.trace", rank);
  return directory + name;
}

void say_not_seen(int rank, const char* why) {
  std::fprintf(stderr, "stretto: rank %d: %s: when its data is produced and consumed is not seen\n", rank,
               why);
}

/// The share of time that watching by page may take: STRETTO_TRACE_SHARE.
double requested_share(int rank) {
  const char* text = std::getenv("STRETTO_TRACE_SHARE");
  if (text == nullptr) return memory::default_share;
  const std::optional<double> share = mpi::plain_number(text);
  if (share && *share > 0.0 && *share <= 1.0) return *share;
  if (rank == 0) {
    std::fprintf(stderr, "stretto: STRETTO_TRACE_SHARE is '%s', not a share of the time above 0 to 1: %g\n",
                 text, memory::default_share);
  }
  return memory::default_share;
}

/// The watch that STRETTO_TRACE_MEMORY requests; null where none is requested or, after a message, available.
memory::Watch* watch_as_asked(int rank, std::string_view level) {
  if (level == "page") {
    memory::Watch* watch = memory::PageWatch::begin([] { return Call::inside(); }, requested_share(rank));
    if (watch == nullptr) say_not_seen(rank, "no address space for the table of pages (ulimit -v?)");
    return watch;
  }
  if (level != "byte") return nullptr;
  if (stretto_memory_watch == nullptr) {
    if (rank == 0) say_not_seen(rank, "the program was not built with stretto-cc, stretto-cxx or stretto-fc");
    return nullptr;
  }
  memory::Watch* watch = stretto_memory_watch();
  if (watch == nullptr) say_not_seen(rank, "no address space for the table of pages (ulimit -v?)");
  return watch;
}

/// A child of fork() shares the mapped blocks of its parent, and must not write there.
std::atomic<bool> in_child = false;

std::uint64_t since_epoch(std::uint64_t ns) {
  const std::uint64_t epoch_ns = recorder().epoch_ns();
  return ns > epoch_ns ? ns - epoch_ns : 0;
}

}  // namespace

Recorder& made_recorder() {
  static auto* const the_one = new Recorder;
  the_recorder.store(the_one, std::memory_order_release);
  return *the_one;
}

void Recorder::start(MPI_Comm all, bool several_threads) {
  const char* directory = std::getenv("STRETTO_TRACE_DIR");
  std::string own = directory == nullptr ? "" : directory;
  const auto [all_can_record, clock] =
      agree_on_clock(all, {.knows_epoch = epoch_ns_ != 0, .can_record = !own.empty()}, proposed_ns_);
  if (!all_can_record) {
    if (!unset_reported_.exchange(true) && World().rank() == 0) {
      std::fprintf(stderr,
                   "stretto: STRETTO_TRACE_DIR is not set%s: nothing is recorded; use `stretto trace`\n",
                   own.empty() ? "" : " on all ranks");
    }
    return;
  }
  if (clock && all == MPI_COMM_WORLD && is_spawned()) own = spawned_directory(own, World().rank());
  const std::scoped_lock lock(starting_);
  if (epoch_ns_ != 0) {
    resume();
  } else if (clock) {
    open(own, *clock, several_threads);
  }
}

void Recorder::open(const std::string& directory, const ClockOffset& clock, bool several_threads) {
  const NotCancelled not_cancelled;
  const World world;
  rank_ = world.rank();
  epoch_ns_ = clock.epoch_ns;
  record::TraceHeader header;
  header.rank = static_cast<std::uint32_t>(rank_);
  header.ranks = static_cast<std::uint32_t>(world.ranks());
  header.epoch_ns = clock.epoch_ns;
  header.clock_offset_ns = clock.offset_ns;
  header.clock_error_ns = clock.error_ns;
  if (directory.empty()) {
    if (rank_ == 0)
      std::fputs("stretto: a spawned program is not recorded: no directory for it, or a limit of size\n",
                 stderr);
    return;
  }
  const char* const asked = std::getenv("STRETTO_TRACE_MEMORY");
  const std::string_view level = asked == nullptr ? "off" : asked;
  const bool watches = level == "byte" || level == "page";  // which changes records after they are written
  const std::uint64_t limit = watches ? 0 : requested_limit();
  const std::optional<record::LimitedSize> size =
      limit == 0 ? std::nullopt : record::limited_size(limit, static_cast<std::uint64_t>(world.ranks()));
  if (!watches) {
    header.major = limit == 0 ? record::packed_major : record::limited_major;
    header.minor = limit == 0 ? record::packed_minor : record::limited_minor;
  }
  const std::string path = file_name(directory, rank_);
  if (!file_.open(path, header, header_text(header, limit), size)) {
    std::fprintf(stderr, "stretto: rank %d records nothing: %s: %s\n", rank_, path.c_str(),
                 std::strerror(errno));
    return;
  }
  if (limit != 0 && !size) {  // the header says so to who reads it
    file_.close();
    if (rank_ == 0) {
      std::fprintf(stderr, "stretto: the limit of the trace is too small for %d ranks: nothing is recorded\n",
                   world.ranks());
    }
    return;
  }
  if (several_threads) {
    contexts.be_shared();
    requests.be_shared();
  }
  watch_ = watch_as_asked(rank_, level);
  protects_pages_ = watch_ != nullptr && level == "page";
  // The watch's times of accesses are those of the system's clock, and compared with those of calls.
  counts_ = watch_ == nullptr && CallClock::has_steady_counter();
  Sites::prepare();
  ::pthread_atfork(nullptr, nullptr, become_child);
  pthread_key_t key = 0;
  if (file_.is_limited() && ::pthread_key_create(&key, thread_ends) == 0) ending_ = key;
  active_.store(true, std::memory_order_relaxed);
  if (has_initialised()) contexts.of(MPI_COMM_WORLD, thread().stream);
}

void Recorder::end(bool for_good) {
  if (in_child.load(std::memory_order_relaxed)) return;
  const std::scoped_lock lock(mutex_);
  if (!active_.exchange(false)) return;
  complete();
  if (protects_pages_) memory::PageWatch::running()->end_rounds();
  if (for_good) file_.close();
  paused_ = !for_good;
}

void Recorder::resume() {
  if (in_child.load(std::memory_order_relaxed)) return;
  const std::scoped_lock lock(mutex_);
  if (!paused_) return;
  paused_ = false;
  file_.remove_trailer();
  if (protects_pages_) memory::PageWatch::running()->begin_rounds();
  if (watch_ != nullptr) watch_->reprotect_all();  // the end of the trace has unprotected all memory
  active_.store(true);
}

void Recorder::complete() {
  const NotCancelled not_cancelled;
  if (this_thread_ != nullptr) this_thread_->stream.state_wait();
  std::uint64_t lost = 0;
  for (const auto& one : threads_) lost += one->stream.lost();
  file_.finish(now_ns() - epoch_ns_, lost);
  if (!file_.may_report()) return;
  const std::string limits = watch_ == nullptr ? "" : watch_->limits();
  if (!limits.empty()) ::dprintf(STDERR_FILENO, "stretto: rank %d: %s\n", rank_, limits.c_str());
  if (lost > 0) {
    ::dprintf(STDERR_FILENO, "stretto: %llu records were lost: %s\n", static_cast<unsigned long long>(lost),
              file_.is_gone() ? "the file of the trace was gone"
              : file_.is_limited()
                  ? "the disk of the trace was full, or its limit is too small for so many threads"
                  : "the disk of the trace was full, or a file may not be larger");
  }
}

void Recorder::break_off() {
  active_.store(false);
  if (protects_pages_) watch_->unprotect_all();  // from now on calls do not unprotect memory
}

Thread& Recorder::new_thread() {
  const std::scoped_lock lock(mutex_);
  const auto number = static_cast<std::uint32_t>(threads_.size());
  threads_.push_back(std::make_unique<Thread>(file_, number, counts_));
  this_thread_ = threads_.back().get();
  if (ending_) ::pthread_setspecific(*ending_, this_thread_);
  return *this_thread_;
}

void Recorder::thread_ends(void* thread) {
  if (recorder().active()) static_cast<Thread*>(thread)->stream.leave();
}

void Recorder::become_child() {
  in_child.store(true, std::memory_order_relaxed);
  recorder().active_.store(false, std::memory_order_relaxed);
}

Call::Call(std::uint16_t number, void* site) : site_(site), number_(number) {
  if (!is_recorded()) return;
  begin();
  thread_->poll_timing.interrupted();
}

void Call::begin() {
  if (!thread_->unprotected.empty() || thread_->all_unprotected > 0) reprotect();  // of a call that was left
  begin_ns_ = thread_->clock.now_ns();
  if (thread_->poll_timing.untimed() > 0) {
    thread_->stream.time_counted(thread_->poll_timing.take_untimed(begin_ns_));
  }
  thread_->stream.state_call(record::pack_field(since_epoch(begin_ns_), number_));
  if (memory::Watch* watch = recorder().watch()) {
    watch->call_begins();
    recorder().regions.worked(watch->work());
    recorder().sent_work.worked(watch->work());
  }
}

void Call::end() const {
  if (end_ns_ == 0 && recorder().active()) left_by_exception();
  if (recorder().active()) thread_->stream.state_call(0);  // after MPI_Abort, the process dies in it
  if (!thread_->unprotected.empty() || thread_->all_unprotected > 0) reprotect();
  memory::Watch* watch = recorder().watch();
  if (watch == nullptr) return;
  // What the recorder does about the data is no computation of the program: it counts with the call.
  if (written_ != 0 && end_ns_ != 0) thread_->stream.lengthen(written_, now_ns() - end_ns_);
  watch->call_ends();
}

void Call::unprotect(memory::Range data) const {
  if (thread_ == nullptr || data.bytes == 0) return;
  recorder().watch()->unprotect(data);
  thread_->unprotected.push_back(data);
}

void Call::unprotect_all() const {
  if (thread_ == nullptr) return;
  recorder().watch()->unprotect_all();
  ++thread_->all_unprotected;
}

void Call::reprotect() const {
  for (const memory::Range& data : thread_->unprotected) recorder().watch()->reprotect(data);
  thread_->unprotected.clear();
  for (; thread_->all_unprotected > 0; --thread_->all_unprotected) recorder().watch()->reprotect_all();
}

bool Call::ended_timed(int error) {
  if (thread_ == nullptr) return false;
  if (!untimed_) end_ns_ = thread_->clock.now_ns();
  if (error == MPI_SUCCESS) return true;
  append_failed();
  return false;
}

bool Call::ended_waiting(int error, const MPI_Status* statuses) {
  partly_failed_ = error == MPI_ERR_IN_STATUS && statuses != nullptr;
  if (partly_failed_ || error == MPI_SUCCESS) return ended(MPI_SUCCESS);
  if (thread_ != nullptr && !untimed_) end_ns_ = thread_->clock.now_ns();
  return false;
}

/// A failed call has sent and received nothing.
void Call::append_failed() const {
  end_counting();
  record::Record failed = record();
  failed.peer = record::no_peer;
  append(failed);
}

void Call::left_by_exception() const noexcept {
  try {
    end_ns_ = thread_->clock.now_ns();
    append_failed();
  } catch (...) {  // no memory: the call remains without a record
    return;
  }
}

void Call::forget_left_calls(const void* inner) {
  jumped_ = false;
  if (!is_in_live_frame(outermost_, inner)) depth_ = 0;
}

bool is_truncated(int error) {
  int kind = MPI_SUCCESS;
  return error != MPI_SUCCESS && PMPI_Error_class(error, &kind) == MPI_SUCCESS && kind == MPI_ERR_TRUNCATE;
}

void Call::append_timed_poll(const record::Record& record) const {
  if (recorder().watch() != nullptr) return append(record);
  thread_->stream.append_poll(record);
  thread_->poll_timing.polled(begin_ns_, end_ns_);
}

/// For an untimed poll that differs from those before it.
void Call::append_late_poll(record::Record record) const {
  end_counting();
  const record::Record timed = this->record();
  record.begin_and_call = timed.begin_and_call;
  record.duration_and_site = timed.duration_and_site;
  thread_->stream.append_poll(record);
}

void Call::end_counting() const {
  if (thread_ == nullptr) return;
  if (untimed_) {
    end_ns_ = thread_->clock.now_ns();
    begin_ns_ = thread_->poll_timing.late_begin_ns(end_ns_);
    thread_->stream.time_counted(thread_->poll_timing.take_untimed(begin_ns_));
  }
  thread_->poll_timing.interrupted();
}

record::Record Call::record(std::uint16_t call) const {
  record::Record record;
  record.begin_and_call = record::pack_field(since_epoch(begin_ns_), call == 0 ? number_ : call);
  record.duration_and_site = record::pack_field(end_ns_ - begin_ns_, site());
  record.bytes_and_context = record::pack_field(0, record::no_context);
  return record;
}

}  // namespace stretto::trace
