/* SPDX-License-Identifier: BSD-3-Clause
 * What the calls of wrong_arguments.py are made with: right values of every kind, and objects to make. */
#ifndef STRETTO_TESTS_BINDINGS_WRONG_ARGUMENTS_H
#define STRETTO_TESTS_BINDINGS_WRONG_ARGUMENTS_H

#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stretto/kernels.h>

extern int ranks;
extern size_t numbers_in;
extern stretto_runtime *runtime, *made_runtime, *no_runtime;
extern stretto_region *region, *made_region, *no_region;
extern stretto_team *team, *made_team, *no_team;
extern stretto_aggregate *aggregate, *made_aggregate, *no_aggregate;
extern stretto_mutexes *mutexes, *made_mutexes, *no_mutexes;
extern stretto_remote_function *remote, *made_remote, *no_remote_function;
extern stretto_fft *fft, *made_fft, *no_fft;
extern stretto_spmv *spmv, *made_spmv, *no_spmv;
extern stretto_request* made_request;
extern stretto_handle* made_handle;
extern stretto_handle* made_handles[16];
extern stretto_options options;
extern stretto_fft_settings fft_settings, other_fft_settings;
extern stretto_spmv_settings spmv_settings;
extern stretto_counters counters;
extern stretto_timers timers;
extern MPI_Comm made_communicator;
extern int all_ranks[16];
extern size_t counts[2], strides[1], first[16];
extern stretto_put_piece put_pieces[1];
extern stretto_get_piece get_pieces[1];
extern stretto_signal_condition conditions[1];
extern uint64_t start[2];
extern uint32_t column[1];
extern double elements[1], results[1];
extern int64_t bytes[64];
extern int64_t memory[8];
extern double* fft_in;
extern double* fft_out;
extern int number;
extern int32_t narrow;
extern int64_t wide;
extern uint64_t unsigned_wide;
extern size_t size;
extern void* address;
extern const char* reason;
void ignore_call(int source, const void* payload, size_t size_bytes, void* context);

/* Made by wrong_arguments.py. */
void call_everything_wrong(void);
extern const int functions_called;

void check_call(int refused, const char* call);
#define IS_REFUSED(call) check_call((call) != STRETTO_SUCCESS, #call)
/* The message begins with the argument's name. */
void check_named(int refused, const char* call, const char* argument);
#define IS_NAMED(call, argument) check_named((call) != STRETTO_SUCCESS, #call, argument)
#define IS_MINUS_ONE(call) check_call((call) == -1, #call)

#endif
