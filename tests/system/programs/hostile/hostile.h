/* SPDX-License-Identifier: BSD-3-Clause
 * What the hostile programs of the C interface share. A check that fails is printed; the program goes on,
 * because other ranks may wait for it. */
#ifndef STRETTO_TESTS_HOSTILE_H
#define STRETTO_TESTS_HOSTILE_H

#include <mpi.h>
#include <stretto/stretto.h>

extern int me;
extern int ranks;
extern stretto_options options; /* those of the command line */
extern stretto_runtime* runtime;

void check(int holds, const char* what, const char* file, int line);
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
#define DONE(call) CHECK((call) == STRETTO_SUCCESS)
#define REFUSED(code, call) CHECK((call) == (code))

int right_rank(void);
int left_rank(void);
stretto_region* new_region(size_t size_bytes);
void* local_part(const stretto_region* region);
void free_region(stretto_region** region);
void sleep_ms(long milliseconds);

/* Each is a program of its own. With `runtime`, unless its name says that it begins before. */
void threads_and_collectives(void);
void one_thread_waits_for_another(void);
void callbacks_that_start(void);
void nothing_at_all(void);
void communicators(void);
void different_options(void);
void flags_at_once(void);
void signals_every_millisecond(void);
void forked(void);
void out_of_order(void);

#endif
