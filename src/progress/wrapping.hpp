// SPDX-License-Identifier: BSD-3-Clause
// Parts of the generated wrappers: guards around a call, which report to the activity what the call starts or
// completes. returned() takes the call's error code and returns it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>

#include "mpi/next_function.hpp"
#include "progress/activity.hpp"
#include "progress/moved_bytes.hpp"
#include "progress/session.hpp"

#define STRETTO_WRAPPED __attribute__((visibility("default")))

namespace stretto::progress {

/// The application is inside a call that makes progress by itself.
class Inside {
 public:
  Inside() { activity.entered(); }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { activity.left(); }
  static int returned(int error) { return error; }
};

/// Of a call that says nothing of its data.
inline constexpr auto any_size = [] { return Activity::any_size; };
inline constexpr auto no_note = [](std::int64_t) {};

/// The bytes of a collective with a root. Between two groups, some ranks pass a count and a datatype that MPI
/// ignores, and that may be invalid.
inline std::int64_t bytes_with_root(std::int64_t count, MPI_Datatype type, MPI_Comm communicator) {
  int between_groups = 0;
  PMPI_Comm_test_inter(communicator, &between_groups);
  return between_groups != 0 ? Activity::any_size : bytes_of(count, type);
}

/// The call starts a request for `size()` bytes. `note` takes them for the statistics.
template <typename Size, typename Note>
class Starting {
 public:
  Starting(Activity::Kind kind, Size size, Note note) : kind_(kind), size_(size), note_(note) {}
  [[nodiscard]] int returned(int error) const {
    if (error != MPI_SUCCESS) return error;
    const std::int64_t bytes = size_();
    activity.started(kind_, 1, bytes);
    if (activity.detailed() && bytes != Activity::any_size) note_(bytes);
    return error;
  }

 private:
  Activity::Kind kind_;
  Size size_;
  Note note_;
};

/// The call makes a persistent request for `size()` bytes. `note` takes them for the statistics.
template <typename Size, typename Note>
class Preparing {
 public:
  Preparing(Activity::Kind kind, Size size, Note note) : kind_(kind), size_(size), note_(note) {}
  [[nodiscard]] int returned(int error) const {
    if (error != MPI_SUCCESS) return error;
    const std::int64_t bytes = size_();
    activity.prepared(kind_, bytes);
    if (activity.detailed() && bytes != Activity::any_size) note_(bytes);
    return error;
  }

 private:
  Activity::Kind kind_;
  Size size_;
  Note note_;
};

/// The call starts `count` persistent requests. `note` is called for the statistics.
template <typename Note>
class Restarting {
 public:
  Restarting(int count, Note note) : count_(count), note_(note) {}
  [[nodiscard]] int returned(int error) const {
    if (error != MPI_SUCCESS) return error;
    activity.restarted(count_);
    if (activity.detailed()) note_();
    return error;
  }

 private:
  int count_;
  Note note_;
};

/// The call makes a partitioned request. Open MPI 5 changes the state and the list of these without a lock
/// where another thread makes progress: some would never complete (open-mpi/ompi, pull request 12935).
class PreparingParts {
 public:
#ifdef OPEN_MPI
  PreparingParts() {
    ProgressSession::instance().end_thread(
        "Open MPI 5 loses partitioned operations where two threads make progress");
  }
#endif
  static int returned(int error) {
    activity.prepared(Activity::Kind::message, Activity::any_size);
    return error;
  }
};

inline void queried(int count, const MPI_Request* requests) { moved_bytes().queried(count, requests); }
inline void freed(const MPI_Request* request) { moved_bytes().freed(*request); }
inline void restarted(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i) moved_bytes().restarted(requests[i]);
}

/// How many requests are not null.
inline int pending(int count, const MPI_Request* requests) {
  if (count <= 0 || requests == nullptr) return 0;
  return count - static_cast<int>(std::count(requests, requests + count, MPI_REQUEST_NULL));
}

/// For the statistics, before a call that completes requests.
template <typename Requests>
void look_for(int count, Requests requests) {
  if (activity.detailed() && count > 0) queried(count, requests);
}

class CompletingAll : public Inside {
 public:
  template <typename Requests>
  CompletingAll(int count, Requests requests) : pending_(pending(count, requests)) {
    look_for(count, requests);
  }
  [[nodiscard]] int returned(int error) const {
    activity.completed(pending_);
    return error;
  }

 private:
  int pending_;
};

class CompletingOne : public CompletingAll {
 public:
  template <typename Requests>
  explicit CompletingOne(Requests request) : CompletingAll(1, request) {}
};

/// The call reports by an index whether one request was completed: Waitany and Testany.
class CompletingAny : public Inside {
 public:
  template <typename Requests>
  CompletingAny(int count, Requests requests, const int* index) : index_(index) {
    look_for(count, requests);
  }
  [[nodiscard]] int returned(int error) const {
    if (error == MPI_SUCCESS && *index_ != MPI_UNDEFINED) activity.completed(1);
    return error;
  }

 private:
  const int* index_;
};

/// The call reports how many requests were completed: Waitsome and Testsome.
class CompletingSome : public Inside {
 public:
  template <typename Requests>
  CompletingSome(int length, Requests requests, const int* count) : count_(count) {
    look_for(length, requests);
  }
  [[nodiscard]] int returned(int error) const {
    if (error == MPI_SUCCESS && *count_ != MPI_UNDEFINED) activity.completed(*count_);
    return error;
  }

 private:
  const int* count_;
};

/// The call reports by a flag whether all requests were completed. It polls once, and does not wait.
class TestingAll {
 public:
  template <typename Requests>
  TestingAll(int count, Requests requests, const int* flag)
      : pending_(pending(count, requests)), flag_(flag) {
    look_for(count, requests);
  }
  [[nodiscard]] int returned(int error) const {
    activity.tested();
    if (error == MPI_SUCCESS && *flag_ != 0) activity.completed(pending_);
    return error;
  }

 private:
  int pending_;
  const int* flag_;
};

class TestingOne : public TestingAll {
 public:
  template <typename Requests>
  TestingOne(Requests request, const int* flag) : TestingAll(1, request, flag) {}
};

/// A request without a later wait.
class Freeing {
 public:
  template <typename Requests>
  explicit Freeing(Requests request) : pending_(pending(1, request)) {
    if (activity.detailed()) freed(request);
  }
  [[nodiscard]] int returned(int error) const {
    activity.completed(pending_);
    return error;
  }

 private:
  int pending_;
};

class OpeningWindow : public Inside {
 public:
  static int returned(int error) {
    if (error == MPI_SUCCESS) activity.window_opened();
    return error;
  }
};

class ClosingWindow : public Inside {
 public:
  static int returned(int error) {
    if (error == MPI_SUCCESS) activity.window_closed();
    return error;
  }
};

#ifdef OPEN_MPI
// -- Open MPI's Fortran library calls PMPI, so its calls have wrappers of their own. They pass addresses. --

/// Requests as Fortran has them.
struct FortranRequests {
  const MPI_Fint* requests;
};

inline void queried(int count, FortranRequests given) {
  for (int i = 0; i < count; ++i) {
    const auto request = MPI_Request_f2c(given.requests[i]);
    moved_bytes().queried(1, &request);
  }
}
inline void freed(FortranRequests given) { moved_bytes().freed(MPI_Request_f2c(*given.requests)); }
inline void restarted(int count, FortranRequests given) {
  for (int i = 0; i < count; ++i) moved_bytes().restarted(MPI_Request_f2c(given.requests[i]));
}
inline int pending(int count, FortranRequests given) {
  if (count <= 0 || given.requests == nullptr) return 0;
  static const auto null = MPI_Request_c2f(MPI_REQUEST_NULL);
  return count - static_cast<int>(std::count(given.requests, given.requests + count, null));
}

inline int fortran_length(const void* argument) { return *static_cast<const MPI_Fint*>(argument); }
inline FortranRequests fortran_requests(const void* argument) {
  return {static_cast<const MPI_Fint*>(argument)};
}
inline MPI_Request fortran_new_request(const void* argument) {
  return MPI_Request_f2c(*static_cast<const MPI_Fint*>(argument));
}
inline MPI_Datatype fortran_type(const void* argument) {
  return MPI_Type_f2c(*static_cast<const MPI_Fint*>(argument));
}
inline MPI_Comm fortran_comm(const void* argument) {
  return MPI_Comm_f2c(*static_cast<const MPI_Fint*>(argument));
}
inline FortranRequests fortran_old_request(const void* argument) { return fortran_requests(argument); }
inline FortranRequests fortran_freed_request(const void* argument) { return fortran_requests(argument); }
inline const int* fortran_index(const void* argument) { return static_cast<const int*>(argument); }
inline const int* fortran_outcount(const void* argument) { return static_cast<const int*>(argument); }
inline const int* fortran_flag(const void* argument) { return static_cast<const int*>(argument); }
inline int fortran_error(const void* argument) {
  return argument == nullptr ? MPI_SUCCESS : *static_cast<const MPI_Fint*>(argument);
}
#endif

}  // namespace stretto::progress
