/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of the C interface share. A failed check is counted and reported; the run goes on, because
 * others may wait for it. */
#ifndef STRETTO_TESTS_BINDINGS_CHECKS_H
#define STRETTO_TESTS_BINDINGS_CHECKS_H

#include <stretto/kernels.h>
#include <stretto/stretto.h>

#define MAX_RANKS 16

extern int me;
extern int ranks;
extern int failures;
extern stretto_runtime* runtime;

void check(int holds, const char* what, const char* file, int line);
/* Reports the message of an error where there should be none. */
void check_done(int code, const char* what, const char* file, int line);
/* Expects an error whose message begins with `begin`. */
void check_refused(int expected, const char* begin, int code, const char* what, const char* file, int line);
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
#define DONE(call) check_done((call), #call, __FILE__, __LINE__)
#define REFUSED(expected, begin, call) check_refused(expected, begin, (call), #call, __FILE__, __LINE__)

/* The ranks after and before this one. */
int right_rank(void);
int left_rank(void);
stretto_region* new_region(size_t size_bytes);
void* local_part(const stretto_region* region);
void free_region(stretto_region* region);

void test_names(void);
void test_regions(void);
void test_teams(void);
void test_counters(void);
void test_contiguous(void);
void test_strided(void);
void test_vectors(void);
void test_handles(void);
void test_accumulates(void);
void test_signals(void);
void test_notifications(void);
void test_completion(void);
void test_flags(void);
void test_interrupted_waits(void);
void test_protocols(void);
void test_team_collectives(void);
void test_values(void);
void test_atomics(void);
void test_aggregates(void);
void test_mutexes(void);
void test_refusals(void);
void test_refused_alone(void);
void test_sizes(void);
/* Lets every rank send requests to every other, and so comes last. */
void test_own_memory(void);
void test_remote_functions(void);
void test_transforms(void);
void test_products(void);

#endif
