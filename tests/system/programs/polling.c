/* SPDX-License-Identifier: BSD-3-Clause
 * How a rank waits: it polls a file without waiting, then yields, TIMES times; prints how often it slept.
 *   polling HOW TIMES: `poll` and `epoll` find nothing, `ready` finds something, `yield` does not poll.
 * It also writes, from another thread, what ends a sleep. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

static int ends[2];

static void* send_late(void* unused) {
  usleep(20000);
  if (write(ends[1], "x", 1) != 1) abort();
  return unused;
}

static int found_by(const char* how, int epoll) {
  struct pollfd file = {.fd = ends[0], .events = POLLIN};
  struct epoll_event event;
  if (strcmp(how, "yield") == 0) return 0;
  return strcmp(how, "epoll") == 0 ? epoll_wait(epoll, &event, 1, 0) : poll(&file, 1, 0);
}

int main(int argc, char** argv) {
  const char* const how = argv[1];
  const int times = argc > 2 ? atoi(argv[2]) : 0, epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  struct rusage before, after;
  pthread_t sender;
  if (pipe(ends) != 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) != 0) return 2;
  const int ready = strcmp(how, "ready") == 0;
  if (ready && write(ends[1], "x", 1) != 1) return 2;
  getrusage(RUSAGE_SELF, &before);
  for (int i = 0; i < times; ++i) {
    if (found_by(how, epoll) != ready) return 3;
    errno = 7;
    if (sched_yield() != 0 || errno != 7) return 4;
  }
  getrusage(RUSAGE_SELF, &after);
  printf("%ld\n", after.ru_nvcsw - before.ru_nvcsw);
  if (ready || pthread_create(&sender, NULL, send_late, NULL) != 0) return ready ? 0 : 2;
  while (found_by(strcmp(how, "yield") == 0 ? "poll" : how, epoll) == 0) sched_yield();
  return pthread_join(sender, NULL);
}
