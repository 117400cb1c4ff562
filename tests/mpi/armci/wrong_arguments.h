/* SPDX-License-Identifier: BSD-3-Clause
 * What the calls of wrong_arguments.py are made with, and how they end. */
#ifndef STRETTO_TESTS_ARMCI_WRONG_ARGUMENTS_H
#define STRETTO_TESTS_ARMCI_WRONG_ARGUMENTS_H

#include <mpi.h>
/* message.h declares more to programs that include mpi.h */
#include <armci.h>
#include <armcix.h>
#include <iterator.h>
#include <limits.h>
#include <message.h>
#include <setjmp.h>
#include <stdint.h>

/* Those of armci.f90, by handles of Fortran. */
int ARMCI_Init_mpi_comm_fortran(int comm);
int ARMCI_Init_thread_comm_fortran(int armci_requested, int comm);

extern double here[64], bytes[64], one;
extern void* there; /* 4 KiB of process 0 */
extern void* freed;
extern int* flag; /* in it */
extern void* addresses[16];
extern int strides[ARMCI_MAX_STRIDE_LEVEL], negative[ARMCI_MAX_STRIDE_LEVEL + 1];
extern int counts[ARMCI_MAX_STRIDE_LEVEL + 1], wrapping[ARMCI_MAX_STRIDE_LEVEL + 1];
extern armci_giov_t to_there[1], from_there[1], null_arrays[1], negative_length[1], negative_bytes[1],
    outside[1];
extern int members[1], negative_members[1];
extern ARMCI_Group group, made_group, freed_group, no_group;
extern armcix_mutex_hdl_t mutexes, destroyed_mutexes;
extern armci_meminfo_t information, no_information;
extern stride_info_t segments;
extern armci_hdl_t handle, no_handle;
extern int number;

/* Made by wrong_arguments.py. */
void call_everything_wrong(void);

/* Where a call that ends the program goes on. */
extern jmp_buf after_end;
void begin_call(const char* call);
void end_call(int holds, const char* call, const char* expected);

#define CALL(call, holds, expected)                  \
  do {                                               \
    begin_call(#call);                               \
    if (setjmp(after_end) == 0) {                    \
      end_call((holds), #call, expected);            \
    } else {                                         \
      end_call(expected[0] != 'r', #call, expected); \
    }                                                \
  } while (0)
#define IS_REFUSED(call) CALL(call, (call) != 0, "refused")
#define IS_NULL_OR_ENDS(call) CALL(call, (call) == NULL, "nothing, or ends")
#define ENDS(call) CALL(call, ((void)(call), 0), "ends")
#define COMES_BACK(call) CALL(call, ((void)(call), 1), "comes back")

#endif
