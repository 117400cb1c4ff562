// SPDX-License-Identifier: BSD-3-Clause
// The program's own operators new and delete, FFTW's allocator and MPI's windows, each with a count.
#include "counted_memory.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>

#ifdef STRETTO_SIMGRID

namespace stretto::testing {

bool memory_is_counted() { return false; }
CountedMemory::CountedMemory() : before_(0) {}
std::size_t CountedMemory::held_bytes() const { return 0; }
std::size_t CountedMemory::peak_bytes() const { return 0; }

}  // namespace stretto::testing

#else

#include <fftw3.h>
#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

#include "short_memory.hpp"

namespace {

std::atomic<long long> held{0};
std::atomic<long long> most{0};

void add(long long bytes) {
  const long long now = held += bytes;
  long long before = most;
  while (now > before && !most.compare_exchange_weak(before, now)) {
  }
}

void* counted(void* memory) {
  if (memory != nullptr) add(static_cast<long long>(malloc_usable_size(memory)));
  return memory;
}

void* counted_or_thrown(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return counted(memory);
}

void forget(void* memory) noexcept {
  if (memory == nullptr) return;
  add(-static_cast<long long>(malloc_usable_size(memory)));
  std::free(memory);
}

void* aligned(std::size_t bytes, std::size_t alignment) {
  return std::aligned_alloc(alignment,
                            (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
}

void* plain(std::size_t bytes) { return std::malloc(std::max<std::size_t>(bytes, 1)); }

/// Bytes of what MPI has allocated: windows, or memory.
template <typename Key>
class Allocated {
 public:
  int add(int result, Key key, MPI_Aint bytes) {
    if (result != MPI_SUCCESS) return result;
    const std::scoped_lock lock(turn_);
    bytes_[key] = bytes;
    ::add(bytes);
    return result;
  }
  void remove(Key key) {
    const std::scoped_lock lock(turn_);
    const auto found = bytes_.find(key);
    if (found == bytes_.end()) return;
    ::add(-found->second);
    bytes_.erase(found);
  }

 private:
  std::mutex turn_;
  std::map<Key, MPI_Aint> bytes_;
};

Allocated<MPI_Win>& windows() {
  static Allocated<MPI_Win> all;
  return all;
}

Allocated<void*>& memories() {
  static Allocated<void*> all;
  return all;
}

}  // namespace

void* operator new(std::size_t bytes) { return counted_or_thrown(plain(bytes)); }
void* operator new[](std::size_t bytes) { return counted_or_thrown(plain(bytes)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return counted(plain(bytes)); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return counted(plain(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t to) {
  return counted_or_thrown(aligned(bytes, static_cast<std::size_t>(to)));
}
void* operator new[](std::size_t bytes, std::align_val_t to) {
  return counted_or_thrown(aligned(bytes, static_cast<std::size_t>(to)));
}
void operator delete(void* memory) noexcept { forget(memory); }
void operator delete[](void* memory) noexcept { forget(memory); }
void operator delete(void* memory, std::size_t) noexcept { forget(memory); }
void operator delete[](void* memory, std::size_t) noexcept { forget(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { forget(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { forget(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { forget(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { forget(memory); }

// Instead of those of the libraries, whose own calls come here, too.
extern "C" {

void* fftw_malloc(std::size_t n) { return counted(aligned(n, 64)); }
fftw_complex* fftw_alloc_complex(std::size_t n) {
  return static_cast<fftw_complex*>(fftw_malloc(n * sizeof(fftw_complex)));
}
void fftw_free(void* p) { forget(p); }

int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                     MPI_Win* win) {
  const int result = PMPI_Win_allocate(size, disp_unit, info, comm, baseptr, win);
  return windows().add(result, *win, size);
}

int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                            MPI_Win* win) {
  const int result = PMPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win);
  return windows().add(result, *win, size);
}

int MPI_Win_free(MPI_Win* win) {
  windows().remove(*win);
  return PMPI_Win_free(win);
}

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  if (stretto::testing::memory_is_short()) {
    *static_cast<std::uintptr_t*>(baseptr) = 0x10;  // near 0, as MPICH's answer
    return MPI_SUCCESS;
  }
  const int result = PMPI_Alloc_mem(size, info, baseptr);
  return memories().add(result, *static_cast<void**>(baseptr), size);
}

int MPI_Free_mem(void* base) {
  memories().remove(base);
  return PMPI_Free_mem(base);
}
}

namespace stretto::testing {

bool memory_is_counted() { return true; }

CountedMemory::CountedMemory() : before_(held) { most = before_; }

std::size_t CountedMemory::held_bytes() const {
  return static_cast<std::size_t>(std::max(held.load() - before_, 0LL));
}

std::size_t CountedMemory::peak_bytes() const {
  return static_cast<std::size_t>(std::max(most.load() - before_, 0LL));
}

}  // namespace stretto::testing

#endif
