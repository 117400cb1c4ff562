// SPDX-License-Identifier: BSD-3-Clause
// Why a blocking receive cannot return before its data is there, in a program that nobody changed:
// `lazy_receive pages|faults|user-faults ACCESS`, on two ranks. Rank 1 receives with a receive that returns
// as soon as the message is matched; the first access to the buffer waits for the data. Accesses are found by
// page protection (pages) or by userfaultfd (faults; user-faults: without the right to see accesses of the
// kernel). Then rank 1 reads the buffer by ACCESS, and prints what it got: the message, the data from before,
// or an error.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/userfaultfd.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { bytes = 4 << 20, before = 0x11, sent = 0x77, not_here = 77 };

static char* buffer;
static char* shadow;  // the message arrives here
static MPI_Request request;
static int fault_file = -1;

static void need(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(errno == ENOSYS || errno == EPERM ? not_here : 1);
}

/* -- the receive that returns early -- */

static void on_fault(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  const char* const address = info->si_addr;
  if (address < buffer || address >= buffer + bytes) _exit(3);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  mprotect(buffer, bytes, PROT_READ | PROT_WRITE);
  memcpy(buffer, shadow, bytes);
}

static void protect_pages(void) {
  static char stack[1 << 16];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaltstack(&other, NULL);
  sigaction(SIGSEGV, &action, NULL);
  need(mprotect(buffer, bytes, PROT_NONE) == 0, "mprotect");
}

/* Answers the first access, whose thread the kernel has stopped. */
static void* answer_faults(void* nothing) {
  struct uffd_msg message;
  if (read(fault_file, &message, sizeof message) != sizeof message) return nothing;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  struct uffdio_copy copy = {.dst = (uintptr_t)buffer, .src = (uintptr_t)shadow, .len = bytes};
  ioctl(fault_file, UFFDIO_COPY, &copy);
  return nothing;
}

static void watch_faults(int only_users) {
  pthread_t thread;
  fault_file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | (only_users ? UFFD_USER_MODE_ONLY : 0));
  need(fault_file >= 0, "userfaultfd");
  struct uffdio_api api = {.api = UFFD_API};
  need(ioctl(fault_file, UFFDIO_API, &api) == 0, "UFFDIO_API");
  struct uffdio_register range = {.range = {(uintptr_t)buffer, bytes}, .mode = UFFDIO_REGISTER_MODE_MISSING};
  need(ioctl(fault_file, UFFDIO_REGISTER, &range) == 0, "UFFDIO_REGISTER");
  /* Only missing pages fault: those of the buffer go, in a shared mapping for all who map it. */
  need(madvise(buffer, bytes, MADV_DONTNEED) == 0, "madvise");
  madvise(buffer, bytes, MADV_REMOVE);
  pthread_create(&thread, NULL, answer_faults, NULL);
  pthread_detach(thread);
}

static void receive_early(const char* mechanism) {
  MPI_Message message;
  MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(shadow, bytes, MPI_BYTE, &message, &request);
  if (strcmp(mechanism, "pages") == 0) {
    protect_pages();
  } else {
    watch_faults(strcmp(mechanism, "user-faults") == 0);
  }
}

/* -- accesses of the program -- */

static const char* found(char value) {
  if (value == sent) return "the message";
  return value == before || value == 0 ? "not the message" : "garbage";
}

static const char* by_load(void) { return found(((volatile char*)buffer)[bytes / 2]); }

/* As many threads of libraries and runtimes have it. */
static const char* by_load_without_signals(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  return by_load();
}

static const char* from_file(int file) {
  char value = 0;
  return pread(file, &value, 1, bytes / 2) == 1 ? found(value) : "nothing";
}

static const char* by_write(int file) {
  const ssize_t written = write(file, buffer, bytes);
  if (written < 0) return errno == EFAULT ? "EFAULT" : strerror(errno);
  return from_file(file);
}

/* -- writing a buffer that the kernel has got earlier, as libraries for files and networks do -- */

static struct io_uring_params parameters;
static int ring;

static void register_buffer(void) {
  const struct iovec all = {buffer, bytes};
  ring = (int)syscall(SYS_io_uring_setup, 1, &parameters);
  need(ring >= 0, "io_uring_setup");
  need(syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &all, 1) == 0, "io_uring_register");
}

static char* ring_part(size_t size, off_t offset) {
  char* const part = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, offset);
  need(part != MAP_FAILED, "mmap of the ring");
  return part;
}

static const char* by_registered_write(int file) {
  char* const queue = ring_part(parameters.sq_off.array + sizeof(unsigned), IORING_OFF_SQ_RING);
  struct io_uring_sqe* const entry = (void*)ring_part(sizeof *entry, IORING_OFF_SQES);
  memset(entry, 0, sizeof *entry);
  entry->opcode = IORING_OP_WRITE_FIXED;
  entry->fd = file;
  entry->addr = (uintptr_t)buffer;
  entry->len = bytes;
  *(unsigned*)(queue + parameters.sq_off.array) = 0;
  __atomic_fetch_add((unsigned*)(queue + parameters.sq_off.tail), 1, __ATOMIC_RELEASE);
  need(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1, "io_uring_enter");
  return from_file(file);
}

int main(int argc, char** argv) {
  int provided = 0, rank = 0;
  if (argc != 3) return 2;
  const char* const access = argv[2];
  const int memory = memfd_create("buffer", 0), file = memfd_create("file", 0);
  const int is_shared = strcmp(access, "other-mapping") == 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  need(ftruncate(memory, bytes) == 0, "ftruncate");
  buffer = is_shared ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
                     : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  /* As another rank of the node has a shared window. */
  char* const other_mapping = mmap(NULL, bytes, PROT_READ, MAP_SHARED, memory, 0);
  shadow = malloc(bytes);
  memset(buffer, rank == 0 ? sent : before, bytes);
  if (rank == 0) MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    const int is_registered = strcmp(access, "registered-write") == 0;
    if (is_registered) register_buffer();
    receive_early(argv[1]);
    const char* got = "no such access";
    if (strcmp(access, "load") == 0) got = by_load();
    if (strcmp(access, "load-without-signals") == 0) got = by_load_without_signals();
    if (strcmp(access, "write") == 0) got = by_write(file);
    if (is_registered) got = by_registered_write(file);
    if (is_shared) got = found(((volatile char*)other_mapping)[bytes / 2]);
    puts(got);
    fflush(stdout);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
