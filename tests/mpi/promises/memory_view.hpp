// SPDX-License-Identifier: BSD-3-Clause
// What lies in another rank's memory at this moment, read by the kernel: neither rank calls MPI or the
// runtime.
#pragma once

#include <mpi.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../world_ranks.hpp"

namespace stretto::testing::promises {

class MemoryView {
 public:
  /// Of the part of every rank that begins at `mine` there. Collective over the world.
  explicit MemoryView(const std::byte* mine) {
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);  // the kernel may let none but ancestors look
    parts_.resize(static_cast<std::size_t>(world_size()));
    const Part own{static_cast<std::int64_t>(getpid()), reinterpret_cast<std::uintptr_t>(mine)};
    MPI_Allgather(&own, sizeof own, MPI_BYTE, parts_.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD);
  }

  /// Whether the kernel lets this process look at the others.
  [[nodiscard]] bool works() const {
    std::byte one{};
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      if (!try_read(static_cast<int>(rank), 0, {&one, 1})) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<std::byte> read(int rank, std::size_t offset, std::size_t size_bytes) const {
    std::vector<std::byte> bytes(size_bytes);
    if (!try_read(rank, offset, bytes)) {
      throw std::runtime_error("the memory of rank " + std::to_string(rank) + " cannot be read: errno " +
                               std::to_string(errno));
    }
    return bytes;
  }
  [[nodiscard]] std::uint64_t word(int rank, std::size_t offset) const {
    std::uint64_t value = 0;
    const std::vector<std::byte> bytes = read(rank, offset, sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

 private:
  struct Part {
    std::int64_t process = 0;
    std::uint64_t address = 0;
  };

  [[nodiscard]] bool try_read(int rank, std::size_t offset, std::span<std::byte> bytes) const {
    const Part& part = parts_[static_cast<std::size_t>(rank)];
    const iovec here{bytes.data(), bytes.size()};
    const iovec there{reinterpret_cast<void*>(part.address + offset), bytes.size()};
    return process_vm_readv(static_cast<pid_t>(part.process), &here, 1, &there, 1, 0) ==
           static_cast<ssize_t>(bytes.size());
  }

  std::vector<Part> parts_;
};

}  // namespace stretto::testing::promises
