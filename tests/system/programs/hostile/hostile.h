/* SPDX-License-Identifier: BSD-3-Clause
 * What the hostile programs of the C interface share, besides the checks of its tests. */
#ifndef STRETTO_TESTS_HOSTILE_H
#define STRETTO_TESTS_HOSTILE_H

#include <mpi.h>
#include <stretto/stretto.h>

#include "../../../mpi/bindings/checks.h"

extern stretto_options options; /* those of the command line */

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
