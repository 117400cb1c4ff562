/* SPDX-License-Identifier: BSD-3-Clause
   What the proxies in C share: command lines of `--name NUMBER` and `--name`, and the line that they print.
 */
#ifndef STRETTO_PROXIES_PROGRAM_H
#define STRETTO_PROXIES_PROGRAM_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of at least `least`, or a flag (`least` < 0), which is 1 where it is given. */
struct option {
  const char* name;
  int* value;
  int least;
};

/* Ends all ranks with status 2 and one line on stderr where a word is no option or no number of its range. */
static void read_options(int argc, char** argv, const char* usage, const struct option* options, int count) {
  for (int i = 1; i < argc; ++i) {
    const struct option* found = NULL;
    for (int k = 0; k < count; ++k) {
      if (strcmp(options[k].name, argv[i]) == 0) found = &options[k];
    }
    char* end = NULL;
    long number = 1;
    if (found != NULL && found->least >= 0) {
      number = ++i < argc ? strtol(argv[i], &end, 10) : 0;
      if (end == NULL || *end != '\0' || number < found->least || number > 1000000000) found = NULL;
    }
    if (found == NULL) {
      int rank = 0;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) fprintf(stderr, "%s: %s\n", argv[0], usage);
      MPI_Finalize();
      exit(2);
    }
    *found->value = (int)number;
  }
}

/* The longest rank's time, and the sum, which is the same with and without overlap. */
static void print_result(const char* name, double own_s, double own_sum, MPI_Comm comm) {
  double time_s = 0;
  double sum = 0;
  int rank = 0;
  MPI_Reduce(&own_s, &time_s, 1, MPI_DOUBLE, MPI_MAX, 0, comm);
  MPI_Reduce(&own_sum, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) printf("%s time_s %.9f sum %.15g\n", name, time_s, sum);
}

static double* new_doubles(size_t count) {
  double* made = calloc(count, sizeof *made);
  if (made == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return made;
}

#endif
