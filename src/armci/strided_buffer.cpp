// SPDX-License-Identifier: BSD-3-Clause
// The segments of a strided shape, and copies between them and a buffer.
#include <armci/iterator.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "armci/boundary.hpp"

using namespace stretto::armci;

namespace {

/// The sums of products may exceed an int.
std::ptrdiff_t offset_of(const stride_info_t& info) {
  std::ptrdiff_t offset = 0;
  for (int level = 0; level < info.stride_levels; ++level)
    offset += std::ptrdiff_t{info.itr[level]} * info.stride_arr[level];
  return offset;
}

void advance(stride_info_t& info) {
  ++info.pos;
  for (int level = 0; level < info.stride_levels; ++level) {
    if (++info.itr[level] < info.seg_count[level + 1]) return;
    info.itr[level] = 0;
  }
}

stride_info_t begin_at(void* first, int levels, const int* strides, const int* counts) {
  if (levels < 0 || levels > ARMCI_MAX_STRIDE_LEVEL) {
    throw Refused(FAIL4, "stride_levels: " + std::to_string(levels) + " is not between 0 and " +
                             std::to_string(ARMCI_MAX_STRIDE_LEVEL));
  }
  if (first == nullptr || counts == nullptr || (levels > 0 && strides == nullptr))
    throw Refused(FAIL2, "the address, the strides or the counts are NULL");
  stride_info_t info{};
  info.base_ptr = static_cast<char*>(first);
  info.stride_levels = levels;
  std::copy_n(counts, levels + 1, info.seg_count);
  if (levels > 0) std::copy_n(strides, levels, info.stride_arr);
  info.size = 1;
  for (int level = 0; level <= levels; ++level) {
    if (counts[level] < 0) throw Refused(FAIL3, "a count is negative");
    if (level > 0 && __builtin_mul_overflow(info.size, counts[level], &info.size))
      throw Refused(FAIL3, "the counts are more segments than an int counts");
  }
  return info;
}

/// Calls copy(segment, place in the buffer, bytes) for all segments.
template <typename Copy>
void for_each_segment(void* first, int levels, const int* strides, const int* counts, char* buffer,
                      Copy copy) {
  stride_info_t info = begin_at(first, levels, strides, counts);
  (void)given(buffer, "buf");
  const auto bytes = static_cast<std::size_t>(counts[0]);
  for (; info.pos < info.size; advance(info), buffer += bytes)
    copy(info.base_ptr + offset_of(info), buffer, bytes);
}

/// What a question about a shape returns.
template <typename Question>
auto ask(const char* function, stride_info_t* sinfo, Question question) {
  return or_abort(function, [&] { return question(*given(sinfo, "sinfo")); });
}

}  // namespace

// NOLINTBEGIN(readability-non-const-parameter): the signatures are as published
void armci_write_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf) {
  or_abort("armci_write_strided", [&] {
    for_each_segment(
        ptr, stride_levels, stride_arr, count, buf,
        [](const char* segment, char* place, std::size_t bytes) { std::memcpy(place, segment, bytes); });
  });
}

void armci_read_strided(void* ptr, int stride_levels, int stride_arr[], int count[], char* buf) {
  or_abort("armci_read_strided", [&] {
    for_each_segment(
        ptr, stride_levels, stride_arr, count, buf,
        [](char* segment, const char* place, std::size_t bytes) { std::memcpy(segment, place, bytes); });
  });
}

void armci_stride_info_init(stride_info_t* sinfo, void* base_ptr, int stride_levels, const int* stride_arr,
                            const int* seg_count) {
  or_abort("armci_stride_info_init",
           [&] { *given(sinfo, "sinfo") = begin_at(base_ptr, stride_levels, stride_arr, seg_count); });
}

void armci_stride_info_destroy(stride_info_t* /*sinfo*/) {}
int armci_stride_info_size(stride_info_t* sinfo) {
  return ask("armci_stride_info_size", sinfo, [](const stride_info_t& info) { return info.size; });
}
int armci_stride_info_count(stride_info_t* sinfo) {
  return ask("armci_stride_info_count", sinfo, [](const stride_info_t& info) { return info.size; });
}
int armci_stride_info_pos(stride_info_t* sinfo) {
  return ask("armci_stride_info_pos", sinfo, [](const stride_info_t& info) { return info.pos; });
}
int armci_stride_info_has_more(stride_info_t* sinfo) {
  return ask("armci_stride_info_has_more", sinfo,
             [](const stride_info_t& info) { return info.pos < info.size ? 1 : 0; });
}
void armci_stride_info_next(stride_info_t* sinfo) {
  ask("armci_stride_info_next", sinfo, [](stride_info_t& info) { advance(info); });
}
void* armci_stride_info_seg_ptr(stride_info_t* sinfo) {
  return ask("armci_stride_info_seg_ptr", sinfo,
             [](const stride_info_t& info) { return info.base_ptr + offset_of(info); });
}
int armci_stride_info_seg_size(stride_info_t* sinfo) {
  return ask("armci_stride_info_seg_size", sinfo,
             [](const stride_info_t& info) { return info.seg_count[0]; });
}
int armci_stride_info_seg_off(stride_info_t* sinfo) {
  return ask("armci_stride_info_seg_off", sinfo,
             [](const stride_info_t& info) { return static_cast<int>(offset_of(info)); });
}
// NOLINTEND(readability-non-const-parameter)
