// SPDX-License-Identifier: BSD-3-Clause
#include "trace/own_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace stretto::trace {
namespace {

/// The first number for the recorder's descriptor: the program expects to get the lowest ones.
constexpr int first_descriptor = 200;

/// The same file under a high number; under the given one where the limit of numbers is too low.
int moved_up(int descriptor) {
  if (descriptor < 0) return descriptor;
  const int high = ::fcntl(descriptor, F_DUPFD_CLOEXEC, first_descriptor);
  if (high < 0) return descriptor;
  ::close(descriptor);
  return high;
}

sigset_t size_signal() {
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, SIGXFSZ);
  return only;
}

bool is_pending() {
  sigset_t pending;
  return ::sigpending(&pending) == 0 && ::sigismember(&pending, SIGXFSZ) == 1;
}

}  // namespace

NoSizeSignal::NoSizeSignal() : was_pending_(is_pending()) {
  const sigset_t only = size_signal();
  ::pthread_sigmask(SIG_BLOCK, &only, &before_);
}

NoSizeSignal::~NoSizeSignal() {
  const int error = errno;
  if (!was_pending_ && is_pending()) {
    const sigset_t only = size_signal();
    const timespec now{};
    ::sigtimedwait(&only, nullptr, &now);
  }
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

OwnFile::Identity OwnFile::identity_of(int descriptor) {
  struct stat of {};
  if (descriptor < 0 || ::fstat(descriptor, &of) != 0) return {};
  return {true, of.st_dev, of.st_ino};
}

bool OwnFile::open(const std::string& path) {
  std::error_code none;  // the program may change its directory
  path_ = std::filesystem::absolute(path, none).string();
  descriptor_ = moved_up(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  own_ = identity_of(descriptor_);
  standard_error_ = identity_of(STDERR_FILENO);
  return own_.exists;
}

int OwnFile::descriptor() {
  if (gone_) return -1;
  if (own_.exists && identity_of(descriptor_) == own_) return descriptor_;
  descriptor_ = moved_up(::open(path_.c_str(), O_RDWR | O_CLOEXEC));
  if (own_.exists && identity_of(descriptor_) == own_) {
    (void)::flock(descriptor_, LOCK_EX | LOCK_NB);
    return descriptor_;
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  report_gone();
  return descriptor_ = -1;
}

bool OwnFile::may_report() const { return identity_of(STDERR_FILENO) == standard_error_; }

void OwnFile::report_gone() {
  gone_ = true;
  if (!may_report()) return;
  ::dprintf(STDERR_FILENO,
            "stretto: %s was closed by the program and cannot be opened again: recording stops\n",
            path_.c_str());
}

void OwnFile::remove() {
  if (own_.exists && identity_of(descriptor_) == own_) ::unlink(path_.c_str());
}

void OwnFile::close() {
  if (own_.exists && identity_of(descriptor_) == own_) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace stretto::trace
