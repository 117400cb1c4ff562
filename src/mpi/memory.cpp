// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/memory.hpp"

#include <mpi.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <new>

#include "mpi/check.hpp"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14; older kernels refuse it with EINVAL
#endif

namespace stretto::mpi {
namespace {

/// The whole pages around a range.
struct Pages {
  Pages(const void* memory, std::size_t size_bytes) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t begin = address / page * page;
    first = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
    bytes = address - begin + size_bytes;
  }

  void* first;
  std::size_t bytes;
};

/// While it lives, errors of calls without a communicator come back. MPI-3 raises them on MPI_COMM_WORLD,
/// MPI-4 on MPI_COMM_SELF. Their handlers end the program unless it has set others.
class ErrorsReturn {
 public:
  ErrorsReturn() {
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
      check(MPI_Comm_get_errhandler(communicators_[i], &before_[i]), "MPI_Comm_get_errhandler");
      check(MPI_Comm_set_errhandler(communicators_[i], MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    }
  }
  ~ErrorsReturn() {
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
      MPI_Comm_set_errhandler(communicators_[i], before_[i]);
      MPI_Errhandler_free(&before_[i]);
    }
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;
  ErrorsReturn(ErrorsReturn&&) = delete;
  ErrorsReturn& operator=(ErrorsReturn&&) = delete;

 private:
  const std::array<MPI_Comm, 2> communicators_{MPI_COMM_WORLD, MPI_COMM_SELF};
  std::array<MPI_Errhandler, 2> before_{};
};

int allocate_by_mpi(std::size_t size_bytes, std::byte*& memory) {
  const ErrorsReturn errors;
  return MPI_Alloc_mem(static_cast<MPI_Aint>(size_bytes), MPI_INFO_NULL, static_cast<void*>(&memory));
}

}  // namespace

std::byte* allocate(std::size_t size_bytes) {
  if (size_bytes > static_cast<std::size_t>(std::numeric_limits<MPI_Aint>::max())) throw std::bad_alloc();
  std::byte* memory = nullptr;
  const int code = allocate_by_mpi(size_bytes, memory);
  if (code != MPI_SUCCESS) {
    int kind = MPI_SUCCESS;
    check(MPI_Error_class(code, &kind), "MPI_Error_class");
    if (kind == MPI_ERR_NO_MEM) throw std::bad_alloc();
    check(code, "MPI_Alloc_mem");
  }
  if (!is_mapped(memory, size_bytes)) throw std::bad_alloc();
  return memory;
}

void release(std::byte* memory) {
  if (memory != nullptr) check(MPI_Free_mem(memory), "MPI_Free_mem");
}

void Release::operator()(std::byte* memory) const noexcept { MPI_Free_mem(memory); }

bool machine_has(std::size_t size_bytes) {
  struct sysinfo machine {};
  if (::sysinfo(&machine) != 0) return true;
  const auto units = static_cast<std::size_t>(machine.totalram) + static_cast<std::size_t>(machine.totalswap);
  return size_bytes / std::max(1U, machine.mem_unit) <= units;
}

bool is_mapped(const void* memory, std::size_t size_bytes) {
  if (size_bytes == 0) return true;
  const Pages pages(memory, size_bytes);
  return msync(pages.first, pages.bytes, MS_ASYNC) == 0 || errno != ENOMEM;  // it writes nothing
}

bool make_present(void* memory, std::size_t size_bytes) {
  if (size_bytes == 0) return true;
  const Pages pages(memory, size_bytes);
  for (;;) {
    if (madvise(pages.first, pages.bytes, MADV_POPULATE_WRITE) == 0) return true;
    if (errno == EAGAIN || errno == EINTR) continue;
    return errno != ENOMEM && errno != EFAULT && errno != EHWPOISON;
  }
}

}  // namespace stretto::mpi
