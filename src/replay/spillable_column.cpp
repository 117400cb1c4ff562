// SPDX-License-Identifier: BSD-3-Clause
#include "replay/spillable_column.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <thread>

namespace stretto::replay::detail {
namespace {

/// The limit of mapped file pages; beyond it they are unmapped, and the system keeps or writes their data.
constexpr std::size_t max_resident_bytes = 3 * column_memory_bytes / 2;
constexpr std::chrono::milliseconds check_interval{20};

/// Columns in memory use large pages where available. A replay alternates between the parts of about a
/// thousand ranks, more than a TLB holds small pages.
constexpr std::align_val_t large_page{std::size_t{2} << 20U};

/// Creates a file in TMPDIR, else in /var/tmp (/tmp may itself be memory), which disappears with its last
/// mapping. Returns -1 on failure.
int nameless_file(std::size_t bytes) {
  const char* named = std::getenv("TMPDIR");
  std::string path = std::string(named != nullptr && *named != '\0' ? named : "/var/tmp") + "/stretto-XXXXXX";
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file < 0) return -1;
  ::unlink(path.c_str());
  // The space is reserved now, because a store to a mapping on a full disk would end the process.
  if (::posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0) return file;
  ::close(file);
  return -1;
}

void* in_file(std::size_t bytes) {
  const int file = nameless_file(bytes);
  if (file < 0) throw std::bad_alloc();
  void* begin = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  return begin;
}

/// The resident file pages of this process, in bytes.
std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  std::size_t shared = 0;
  file >> size >> resident >> shared;
  return shared * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

class Columns {
 public:
  Columns() = default;
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  ~Columns() {
    {
      const std::scoped_lock lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    if (unmapper_.joinable()) unmapper_.join();
  }

  void* take(std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (memory_bytes_ + bytes <= column_memory_bytes) {
      void* begin = ::operator new(bytes, large_page);
      (void)::madvise(begin, bytes, MADV_HUGEPAGE);  // may be ignored
      memory_bytes_ += bytes;
      return begin;
    }
    void* begin = in_file(bytes);
    mapped_.emplace(begin, bytes);
    file_bytes_ += bytes;
    if (!unmapper_.joinable()) unmapper_ = std::thread([this] { unmap_when_large(); });
    return begin;
  }

  void give(void* begin, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (mapped_.erase(begin) > 0) {
      file_bytes_ -= bytes;
      ::munmap(begin, bytes);
    } else {
      memory_bytes_ -= bytes;
      ::operator delete(begin, large_page);
    }
  }

  [[nodiscard]] std::size_t file_bytes() {
    const std::scoped_lock lock(mutex_);
    return file_bytes_;
  }

 private:
  /// Unmaps pages when too many are resident. A thread that touches an unmapped page gets it back with its
  /// content.
  void unmap_when_large() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, check_interval, [this] { return over_; })) {
      if (resident_bytes() <= max_resident_bytes) continue;
      for (const auto& [begin, bytes] : mapped_) ::madvise(begin, bytes, MADV_DONTNEED);
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<void*, std::size_t> mapped_;
  std::size_t memory_bytes_ = 0;
  std::size_t file_bytes_ = 0;
  bool over_ = false;
  std::thread unmapper_;
};

Columns& columns() {
  static Columns all;
  return all;
}

}  // namespace

void* take_column(std::size_t bytes) { return columns().take(bytes); }

void give_column(void* begin, std::size_t bytes) noexcept { columns().give(begin, bytes); }

}  // namespace stretto::replay::detail

std::size_t stretto::replay::spilled_bytes() { return detail::columns().file_bytes(); }
