/* SPDX-License-Identifier: BSD-3-Clause
 * The segments of a strided shape one after the other, as ARMCI's iterator.h has them. */
#ifndef STRETTO_ARMCI_ITERATOR_H
#define STRETTO_ARMCI_ITERATOR_H

#include "armci.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  char* base_ptr;
  int stride_levels;
  int stride_arr[ARMCI_MAX_STRIDE_LEVEL];
  int seg_count[ARMCI_MAX_STRIDE_LEVEL + 1];
  int size, pos, itr[ARMCI_MAX_STRIDE_LEVEL];
} stride_info_t;

/* Before the first segment. Shapes are as ARMCI_PutS has them; a wrong one ends the program. */
void armci_stride_info_init(stride_info_t* sinfo, void* base_ptr, int stride_levels, const int* stride_arr,
                            const int* seg_count);
void armci_stride_info_destroy(stride_info_t* sinfo);
/* Segments in all (two names), and those that have passed. */
int armci_stride_info_size(stride_info_t* sinfo);
int armci_stride_info_count(stride_info_t* sinfo);
int armci_stride_info_pos(stride_info_t* sinfo);
/* Nonzero where there is a segment at the position. */
int armci_stride_info_has_more(stride_info_t* sinfo);
void armci_stride_info_next(stride_info_t* sinfo);
/* The segment's address, its bytes, and its distance from the first one in bytes. */
void* armci_stride_info_seg_ptr(stride_info_t* sinfo);
int armci_stride_info_seg_size(stride_info_t* sinfo);
int armci_stride_info_seg_off(stride_info_t* sinfo);

#ifdef __cplusplus
}
#endif

#endif
