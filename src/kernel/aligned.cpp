// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/aligned.hpp"

#include <algorithm>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace stretto::kernel {
namespace {

constexpr std::size_t cache_line_bytes = 64;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;

}  // namespace

AlignedArray::AlignedArray(std::size_t size) : size_(size) {
  const std::size_t bytes = size * sizeof(double);
  const bool huge = bytes >= huge_page_bytes;
  const std::align_val_t alignment{huge ? huge_page_bytes : cache_line_bytes};
  values_ = {static_cast<double*>(::operator new[](std::max(bytes, cache_line_bytes), alignment)),
             detail::AlignedDelete{alignment}};
#ifdef __linux__
  // A wish: a system without huge pages refuses it, and the array is as good but for speed.
  if (huge) (void)madvise(values_.get(), bytes / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
#endif
  clear();
}

void AlignedArray::clear() { std::fill_n(values_.get(), size_, 0.0); }

}  // namespace stretto::kernel
