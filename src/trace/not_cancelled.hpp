// SPDX-License-Identifier: BSD-3-Clause
// The recorder's own system calls are no points at which a thread of the program is cancelled: its calls of
// MPI need not be, and it would be cancelled in the middle of one.
#pragma once

#include <pthread.h>

namespace stretto::trace {

/// No cancellation of the calling thread while it lives.
class NotCancelled {
 public:
  NotCancelled() noexcept { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NotCancelled() { ::pthread_setcancelstate(before_, nullptr); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace stretto::trace
