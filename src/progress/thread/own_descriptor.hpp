// SPDX-License-Identifier: BSD-3-Clause
// A descriptor of the kernel's event files in a process that belongs to others. A program that closes all
// descriptors gets the number for a file of its own, which is never read, written or closed here.
// OwnFile of the recorder compares files in the same way; this folder includes no other one.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace stretto::progress {

class OwnDescriptor {
 public:
  /// Takes a new descriptor, and moves it up: a program expects to get the lowest numbers. A negative one
  /// stays as it is.
  explicit OwnDescriptor(int descriptor) : descriptor_(moved_up(descriptor)) {
    has_kind_ = kind_of(descriptor_, kind_);
  }
  ~OwnDescriptor() {
    if (is_open()) ::close(descriptor_);
  }
  OwnDescriptor(const OwnDescriptor&) = delete;
  OwnDescriptor& operator=(const OwnDescriptor&) = delete;
  OwnDescriptor(OwnDescriptor&&) = delete;
  OwnDescriptor& operator=(OwnDescriptor&&) = delete;

  /// Whether the number is still of such a file.
  [[nodiscard]] bool is_open() const {
    Kind now;
    return has_kind_ && kind_of(descriptor_, now) && now.device == kind_.device && now.file == kind_.file;
  }
  [[nodiscard]] int number() const { return descriptor_; }

 private:
  struct Kind {
    dev_t device = 0;
    ino_t file = 0;
  };

  static constexpr int first_descriptor = 200;

  static bool kind_of(int descriptor, Kind& kind) {
    struct stat of {};
    if (descriptor < 0 || ::fstat(descriptor, &of) != 0) return false;
    kind = {.device = of.st_dev, .file = of.st_ino};
    return true;
  }
  static int moved_up(int descriptor) {
    if (descriptor < 0) return descriptor;
    const int high = ::fcntl(descriptor, F_DUPFD_CLOEXEC, first_descriptor);
    if (high < 0) return descriptor;  // the limit of numbers is lower
    ::close(descriptor);
    return high;
  }

  int descriptor_;
  bool has_kind_ = false;
  Kind kind_;
};

}  // namespace stretto::progress
