// SPDX-License-Identifier: BSD-3-Clause
// Programs with signal handlers, signal masks, cancelled threads and memory of their own, as a recorder that
// protects pages must leave them. Usage: own_signals NAME... on two ranks, one function for each name. Each
// rank prints "NAME right" where what POSIX says holds, and some functions end the program.
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

// What the compiler makes of read() with _FORTIFY_SOURCE, and of signal() with the macros of System V.
extern "C" ssize_t __read_chk(int file, void* buffer, std::size_t bytes, std::size_t size);
extern "C" sighandler_t __sysv_signal(int number, sighandler_t handler);

namespace {

constexpr std::size_t bytes = std::size_t{1} << 20U;
constexpr std::size_t page = 4096;
int rank = 0;
char* memory = nullptr;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "rank %d: %s: %s\n", rank, what, std::strerror(errno));
  MPI_Abort(MPI_COMM_WORLD, 3);
}
#define CHECK(condition) check(condition, #condition)

char* mapped(int protection = PROT_READ | PROT_WRITE, char* at = nullptr) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (at != nullptr ? MAP_FIXED : 0);
  void* const found = ::mmap(at, bytes, protection, flags, -1, 0);
  CHECK(found != MAP_FAILED);
  return static_cast<char*>(found);
}

void exchange(void* data, std::size_t count = bytes) {
  if (rank == 0) MPI_Send(data, static_cast<int>(count), MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, static_cast<int>(count), MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void exchange_and_touch() {
  for (int turn = 0; turn < 5; ++turn) {
    exchange(memory);
    std::memset(memory, turn, bytes);
  }
}

void handle(int number, void (*handler)(int), int flags = 0, int also_blocked = 0) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if (also_blocked != 0) ::sigaddset(&action.sa_mask, also_blocked);
  CHECK(::sigaction(number, &action, nullptr) == 0);
}

bool is_blocked(int number) {
  sigset_t now;
  return ::pthread_sigmask(SIG_SETMASK, nullptr, &now) == 0 && ::sigismember(&now, number) == 1;
}

void change_mask(int how, int number) {
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, number);
  CHECK(::pthread_sigmask(how, &one, nullptr) == 0);
}

volatile int* volatile nowhere = nullptr;

void fault() { *nowhere = 1; }

// -- These end the program --

void raised() {
  exchange(memory);
  ::raise(SIGSEGV);
  ::_exit(0);
}

/// The handler returns, the access faults again, and the default action ends the program.
void reset_handler() {
  static std::atomic<int> times = 0;
  handle(
      SIGSEGV, [](int) { ++times > 1 ? ::_exit(7) : void(); }, SA_RESETHAND);
  exchange(memory);
  fault();
}

/// A fault in the handler itself ends the program.
void fault_in_its_handler() {
  static std::atomic<int> times = 0;
  handle(SIGSEGV, [](int) { ++times > 1 ? ::_exit(7) : fault(); });
  exchange(memory);
  fault();
}

void mask_in_the_handler() {
  handle(
      SIGSEGV,
      [](int) { ::_exit(is_blocked(SIGUSR2) && is_blocked(SIGSEGV) && !is_blocked(SIGUSR1) ? 5 : 7); }, 0,
      SIGUSR2);
  exchange(memory);
  fault();
}

// -- These go on --

void raised_while_ignored() {
  handle(SIGSEGV, SIG_IGN);
  ::raise(SIGSEGV);
  exchange_and_touch();
  handle(SIGSEGV, SIG_DFL);
}

void raised_while_blocked() {
  static std::atomic<int> times = 0;
  handle(SIGSEGV, [](int) { ++times; });
  change_mask(SIG_BLOCK, SIGSEGV);
  ::raise(SIGSEGV);
  sigset_t waiting;
  CHECK(::sigpending(&waiting) == 0 && ::sigismember(&waiting, SIGSEGV) == 1 && times == 0);
  exchange_and_touch();
  change_mask(SIG_UNBLOCK, SIGSEGV);
  CHECK(times == 1);
}

sigjmp_buf place;

void handler_left_by_siglongjmp() {
  handle(SIGSEGV, [](int) { ::siglongjmp(place, 1); });
  for (volatile int turn = 0; turn < 20; turn = turn + 1) {
    if (sigsetjmp(place, 1) == 0) fault();
    CHECK(!is_blocked(SIGSEGV));
    exchange(memory, bytes / 8);
    std::memset(memory, turn, bytes / 8);
  }
}

/// The handler's mask stays, and the program ends it itself; what a later handler changes ends with it.
void handler_left_without_its_mask() {
  static char* const guarded = mapped(PROT_NONE);
  exchange(memory);
  handle(SIGSEGV, [](int) { ::siglongjmp(place, 1); });
  if (sigsetjmp(place, 0) == 0) fault();
  CHECK(is_blocked(SIGSEGV));
  change_mask(SIG_UNBLOCK, SIGSEGV);
  handle(SIGSEGV, [](int) { ::mprotect(guarded, bytes, PROT_READ | PROT_WRITE); });
  guarded[0] = 1;
  CHECK(!is_blocked(SIGSEGV));
  exchange_and_touch();
  handle(SIGSEGV, SIG_DFL);
}

std::atomic<std::size_t> at = 0;

/// Messages while a timer's handler touches their memory.
void exchange_under_a_timer(void (*handler)(int)) {
  handle(SIGALRM, handler, SA_RESTART);
  const itimerval often{{0, 200}, {0, 200}};
  const itimerval never{};
  CHECK(::setitimer(ITIMER_REAL, &often, nullptr) == 0);
  for (int turn = 0; turn < 1000; ++turn) {
    exchange(memory, bytes / 4);
    for (std::size_t place = 0; place < bytes / 4; place += page) memory[place] = 2;
  }
  CHECK(::setitimer(ITIMER_REAL, &never, nullptr) == 0);
}

void timer_that_stores() {
  exchange_under_a_timer([](int) {
    for (int more = 0; more < 20; ++more) memory[(at += page) % bytes] = 1;
  });
}

void timer_that_writes() {
  static const int file = ::open("/dev/null", O_WRONLY);
  exchange_under_a_timer([](int) {
    const int error = errno;
    if (::write(file, memory + (at += page) % bytes, page) < 0) ::_exit(7);
    errno = error;
  });
}

void read_by_other_names() {
  int ends[2];
  CHECK(::pipe(ends) == 0);
  std::FILE* const file = std::tmpfile();
  for (int turn = 0; turn < 5; ++turn) {
    exchange(memory);
    CHECK(::write(ends[1], memory, 2 * page) == 2 * page);
    exchange(memory);
    CHECK(__read_chk(ends[0], memory, 2 * page, bytes) == 2 * page);
    exchange(memory);
    CHECK(::pwrite64(::fileno(file), memory, bytes, 0) == static_cast<ssize_t>(bytes));
    exchange(memory);
    CHECK(::pread64(::fileno(file), memory, bytes, 0) == static_cast<ssize_t>(bytes));
    exchange(memory);
    CHECK(::fwrite_unlocked(memory, 1, bytes, file) == bytes);
    std::rewind(file);
    exchange(memory);
    CHECK(::fread_unlocked(memory, 1, bytes, file) == bytes);
    std::rewind(file);
  }
}

void handlers_by_other_names() {
  exchange(memory);
  __sysv_signal(SIGSEGV, [](int) { ::_exit(7); });
  exchange_and_touch();
  CHECK(__sysv_signal(SIGSEGV, SIG_DFL) != SIG_DFL);
  ::sigset(SIGSEGV, [](int) { ::_exit(7); });
  exchange_and_touch();
  CHECK(::sighold(SIGSEGV) == 0 && is_blocked(SIGSEGV));
  exchange_and_touch();
  CHECK(::sigset(SIGSEGV, SIG_DFL) == SIG_HOLD && !is_blocked(SIGSEGV));
}

/// The handler runs while the call waits with a mask that has everything else.
void waits_with_a_mask() {
  handle(SIGUSR1, [](int) { std::memset(memory, 1, bytes); });
  change_mask(SIG_BLOCK, SIGUSR1);
  sigset_t others;
  ::sigfillset(&others);
  ::sigdelset(&others, SIGUSR1);
  const timespec time{.tv_sec = 1, .tv_nsec = 0};
  for (int turn = 0; turn < 3; ++turn) {
    exchange(memory);
    ::raise(SIGUSR1);
    CHECK(::sigsuspend(&others) == -1 && errno == EINTR);
    exchange(memory);
    ::raise(SIGUSR1);
    CHECK(::ppoll(nullptr, 0, &time, &others) == -1 && errno == EINTR);
    exchange(memory);
    ::raise(SIGUSR1);
    CHECK(::pselect(0, nullptr, nullptr, nullptr, &time, &others) == -1 && errno == EINTR);
  }
  change_mask(SIG_UNBLOCK, SIGUSR1);
}

void thread_with_the_mask_of_its_creator() {
  change_mask(SIG_BLOCK, SIGSEGV);
  std::thread([] {
    CHECK(is_blocked(SIGSEGV));
    exchange_and_touch();
  }).join();
  change_mask(SIG_UNBLOCK, SIGSEGV);
  std::thread([] { CHECK(!is_blocked(SIGSEGV)); }).join();
}

/// Memory without access is mapped over a message: each access is the program's own fault.
void mapped_over_a_message() {
  static std::atomic<int> times = 0;
  handle(SIGSEGV, [](int) {
    ++times;
    ::siglongjmp(place, 1);
  });
  for (volatile int turn = 0; turn < 5; turn = turn + 1) {
    char* const message = mapped();
    exchange(message);
    std::memset(message, 1, bytes / 2);
    CHECK(mapped(PROT_NONE, message) == message);
    ::usleep(5000);
    times = 0;
    if (sigsetjmp(place, 1) == 0) message[1] = 1;
    if (sigsetjmp(place, 1) == 0) message[bytes - 1] = 1;
    CHECK(times == 2);
    CHECK(::munmap(message, bytes) == 0);
  }
  handle(SIGSEGV, SIG_DFL);
}

/// Messages from more addresses than a table of them has: none of the calls reads a file.
void many_addresses() {
  const auto reads = [] {
    long long count = 0;
    char line[80];
    std::FILE* const file = std::fopen("/proc/self/io", "r");
    while (std::fgets(line, sizeof line, file) != nullptr) std::sscanf(line, "syscr: %lld", &count);
    std::fclose(file);
    return count;
  };
  for (std::size_t one = 0; one < 5000; ++one) exchange(memory + one, 1);
  const long long before = reads();
  for (std::size_t one = 5000; one < 10'000; ++one) exchange(memory + one, 1);
  CHECK(reads() - before < 1000);
}

std::atomic<int> phase = 0;

void* end_by_cancellation(void* /*none*/) {
  ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  phase = 1;
  while (phase != 2) ::sched_yield();
  ::pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
  for (int turn = 0; turn < 200; ++turn) exchange(memory, page);
  phase = 3;
  ::pthread_testcancel();
  return nullptr;
}

/// A thread is to be cancelled, and is where it says, not in its calls of MPI.
void cancelled_thread() {
  pthread_t thread{};
  void* result = nullptr;
  CHECK(::pthread_create(&thread, nullptr, end_by_cancellation, nullptr) == 0);
  while (phase != 1) ::sched_yield();
  CHECK(::pthread_cancel(thread) == 0);
  phase = 2;
  CHECK(::pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED && phase == 3);
}

const std::map<std::string, void (*)()> cases = {
    {"raised", raised},
    {"reset_handler", reset_handler},
    {"fault_in_its_handler", fault_in_its_handler},
    {"mask_in_the_handler", mask_in_the_handler},
    {"raised_while_ignored", raised_while_ignored},
    {"raised_while_blocked", raised_while_blocked},
    {"handler_left_by_siglongjmp", handler_left_by_siglongjmp},
    {"handler_left_without_its_mask", handler_left_without_its_mask},
    {"timer_that_stores", timer_that_stores},
    {"timer_that_writes", timer_that_writes},
    {"read_by_other_names", read_by_other_names},
    {"handlers_by_other_names", handlers_by_other_names},
    {"waits_with_a_mask", waits_with_a_mask},
    {"thread_with_the_mask_of_its_creator", thread_with_the_mask_of_its_creator},
    {"mapped_over_a_message", mapped_over_a_message},
    {"many_addresses", many_addresses},
    {"cancelled_thread", cancelled_thread},
};

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  memory = mapped();
  std::memset(memory, 1, bytes);
  for (int one = 1; one < argc; ++one) {
    cases.at(argv[one])();
    if (rank == 0) std::printf("%s right\n", argv[one]);
    std::fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
