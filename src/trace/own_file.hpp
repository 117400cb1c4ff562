// SPDX-License-Identifier: BSD-3-Clause
// A file of the recorder. The program may close descriptors that it does not own, as daemons do, and the
// number may be that of one of its own files afterwards. So the file behind the descriptor is compared before
// each use. Knows no MPI.
#pragma once

#include <sys/stat.h>

#include <csignal>
#include <string>

namespace stretto::trace {

class OwnFile {
 public:
  /// Creates or opens the file. False, with errno, where that fails.
  [[nodiscard]] bool open(const std::string& path);
  /// A descriptor of the file, opened again if the program has closed it; -1 where the file is gone, after
  /// one line on stderr.
  [[nodiscard]] int descriptor();
  [[nodiscard]] bool is_gone() const { return gone_; }
  /// Closes the descriptor, unless it is the program's by now.
  void close();
  /// Removes the file, which is open.
  void remove();
  /// Whether standard error is still what it was: a program that closes descriptors may have a file of its
  /// own there.
  [[nodiscard]] bool may_report() const;

 private:
  /// Which file a descriptor stands for.
  struct Identity {
    bool exists = false;
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const Identity&) const = default;
  };
  [[nodiscard]] static Identity identity_of(int descriptor);
  void report_gone();

  std::string path_;
  int descriptor_ = -1;
  Identity own_;
  Identity standard_error_;  // at the begin: a program that closes descriptors may write its data to number 2
  bool gone_ = false;
};

/// While it lives, a file of this thread that would become larger than the process may make it is an error,
/// EFBIG, and no signal: SIGXFSZ ends a program that does not expect it.
class NoSizeSignal {
 public:
  NoSizeSignal();
  ~NoSizeSignal();
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;

 private:
  bool was_pending_ = false;
  sigset_t before_{};
};

}  // namespace stretto::trace
