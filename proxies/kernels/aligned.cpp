// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/aligned.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace stretto::kernel::detail {
namespace {

constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;

}  // namespace

AlignedMemory aligned_memory(std::size_t bytes) {
  const bool huge = bytes >= huge_page_bytes;
  const std::align_val_t alignment{huge ? huge_page_bytes : cache_line_bytes};
  AlignedMemory memory{
      static_cast<std::byte*>(::operator new[](std::max(bytes, cache_line_bytes), alignment)),
      AlignedDelete{alignment}};
#ifdef __linux__
  // The result is ignored: without huge pages the array is only slower.
  if (huge) (void)madvise(memory.get(), bytes / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

}  // namespace stretto::kernel::detail
