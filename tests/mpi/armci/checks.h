/* SPDX-License-Identifier: BSD-3-Clause
 * What the ARMCI tests share. A failed check is counted and told; the run goes on, for others may wait for
 * it. */
#ifndef STRETTO_TESTS_ARMCI_CHECKS_H
#define STRETTO_TESTS_ARMCI_CHECKS_H

#include <armci.h>
#include <message.h>

#define MAX_PROCESSES 16

extern int me;
extern int processes;
extern int failures;

void check(int holds, const char* what, const char* file, int line);
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)

/* Expects the code of a refusal, whose line on stderr is part of the test. */
#define REFUSED(code, call) check((call) == (code), #call " returns " #code, __FILE__, __LINE__)

int right_neighbour(void);
int left_neighbour(void);
/* The same on all processes; from a generator of its own. */
int pseudo_random(int below);

void test_memory(void);
void test_strided(void);
void test_vector(void);
void test_values(void);
void test_accumulate(void);
void test_nonblocking(void);
void test_aggregate(void);
void test_atomics(void);
void test_mutexes(void);
void test_flags(void);
void test_notify(void);
void test_messages(void);
void test_collectives(void);
void test_groups(void);
void test_communicators(void);
void test_noncollective(void);
void test_second_names(void);
void test_domains(void);
void test_every_reduction(void);
void test_extensions(void);
void test_refusals(void);
void test_same_memory(void);
void test_short_memory(void);
void test_threads(void); /* not in SMPI, whose ranks are threads */

#endif
