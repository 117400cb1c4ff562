// SPDX-License-Identifier: BSD-3-Clause
// What programs do to their process that a recorder inside of it must survive, one function for each. Usage:
// unfriendly NAME [FILE...] on two ranks. Rank 0 prints "right" at the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

int rank = 0;
char** words = nullptr;

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}
#define CHECK(condition) check(condition, #condition)

/// Enough calls that the recorder takes new blocks of its file several times.
void make_calls() {
  int value = rank;
  for (int turn = 0; turn < 3000; ++turn) {
    if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/// Closes the descriptors of regular files from 3 on: those of MPI's sockets are needed to go on. Then takes
/// all those numbers for a file of its own.
std::vector<int> own_files(const std::string& name) {
  char target[4096];
  for (int one = 3; one < 1024; ++one) {
    const std::string link = "/proc/self/fd/" + std::to_string(one);
    const ssize_t length = ::readlink(link.c_str(), target, sizeof target - 1);
    if (length <= 0) continue;
    target[length] = '\0';
    if (std::strstr(target, ".trace") != nullptr) ::close(one);
  }
  std::vector<int> files;
  for (int one = 0; one < 400; ++one) {
    const std::string path = name + "." + std::to_string(rank) + "." + std::to_string(one);
    files.push_back(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666));
    CHECK(files.back() >= 0);
    CHECK(::write(files.back(), path.data(), path.size()) == static_cast<ssize_t>(path.size()));
  }
  return files;
}

void closed_descriptors() {
  const std::string name = words[0];
  const bool removes = words[1] != nullptr;
  make_calls();
  const std::vector<int> files = own_files(name);
  if (removes) ::unlink((std::string(words[1]) + "/rank-00000" + std::to_string(rank) + ".trace").c_str());
  make_calls();
  MPI_Barrier(MPI_COMM_WORLD);
}

/// All of the program's files are as it has written them.
void files_are_intact() {
  for (int one = 0; one < 400; ++one) {
    const std::string path = std::string(words[0]) + "." + std::to_string(rank) + "." + std::to_string(one);
    std::FILE* file = std::fopen(path.c_str(), "r");
    char text[4096];
    const std::size_t bytes = std::fread(text, 1, sizeof text, file);
    std::fclose(file);
    if (std::string(text, bytes) == path) continue;
    std::printf("wrong: %s\n", path.c_str());
    std::exit(4);
  }
}

constexpr std::size_t page = 4096;
constexpr std::size_t bytes = std::size_t{1} << 20U;

void exchange(void* memory, int count) {
  if (rank == 0) MPI_Send(memory, count, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(memory, count, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void* mapped() { return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

void moved_buffer() {
  auto* memory = static_cast<unsigned char*>(mapped());
  std::memset(memory, 1, bytes);
  for (int turn = 0; turn < 5; ++turn) {
    exchange(memory, static_cast<int>(bytes));
    void* target = ::mmap(nullptr, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void* moved = ::mremap(memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target);
    CHECK(moved == target);
    memory = static_cast<unsigned char*>(moved);
    std::memset(memory, turn, bytes);
  }
  for (int turn = 0; turn < 5; ++turn) {
    exchange(memory, static_cast<int>(bytes));
    CHECK(::mprotect(memory, bytes, PROT_READ) == 0);
    CHECK(::mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0);
    std::memset(memory, turn, bytes);
    CHECK(::munmap(memory, bytes) == 0);
    void* again =
        ::mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(again == memory);
    std::memset(memory, turn, bytes);
  }
}

void locked_memory() {
  CHECK(::mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
  void* memory = mapped();
  std::memset(memory, 1, bytes);
  for (int turn = 0; turn < 5; ++turn) exchange(memory, static_cast<int>(bytes));
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  CHECK(used.ru_maxrss < 2'000'000);
}

/// Messages of the heap, whose pages are protected between the calls.
void use_messages() {
  for (int turn = 0; turn < 5; ++turn) {
    std::vector<char> one(100'000, 'a');
    std::vector<char> two(100'000, 'b');
    exchange(one.data(), static_cast<int>(one.size()));
    std::memset(one.data(), turn, one.size());
    exchange(two.data(), static_cast<int>(two.size()));
    std::memset(two.data(), turn, two.size());
  }
}

bool blocks_faults() {
  sigset_t now;
  return ::pthread_sigmask(SIG_SETMASK, nullptr, &now) == 0 && ::sigismember(&now, SIGSEGV) == 1 &&
         ::sigismember(&now, SIGUSR1) == 1;
}

/// Threads that should not handle signals block all of them.
void blocked_signals() {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  CHECK(::sigprocmask(SIG_BLOCK, &all, &before) == 0);
  CHECK(::sigismember(&before, SIGSEGV) == 0);
  use_messages();
  CHECK(blocks_faults());
  CHECK(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
  CHECK(!blocks_faults());
  CHECK(::pthread_sigmask(SIG_SETMASK, &all, nullptr) == 0);
  use_messages();
  CHECK(::pthread_sigmask(SIG_UNBLOCK, &all, nullptr) == 0);
  CHECK(!blocks_faults());
}

/// A handler that blocks all signals, and stores to a message.
void blocking_handler() {
  static std::vector<char> message(100'000);
  struct sigaction stores = {};
  stores.sa_handler = [](int) { std::memset(message.data(), 1, message.size()); };
  ::sigfillset(&stores.sa_mask);
  CHECK(::sigaction(SIGUSR1, &stores, nullptr) == 0);
  struct sigaction now = {};
  CHECK(::sigaction(SIGUSR1, nullptr, &now) == 0 && ::sigismember(&now.sa_mask, SIGSEGV) == 1);
  for (int turn = 0; turn < 5; ++turn) {
    exchange(message.data(), static_cast<int>(message.size()));
    ::raise(SIGUSR1);
  }
}

/// libc frees what it has allocated for a thread, between messages, with all signals blocked.
/// Another thread stores to a page while this one ends that the page is watched.
void touched_while_remapped() {
  constexpr int turns = 200;
  auto* memory = static_cast<char*>(mapped());
  std::atomic<int> begun = 0;
  std::thread other([&] {
    for (int turn = 1; turn <= turns; ++turn) {
      while (begun < turn) std::this_thread::yield();
      for (std::size_t at = bytes; at > bytes / 2; at -= 4096) memory[at - 1] = 1;  // from the last page on
      begun = -turn;
    }
  });
  for (int turn = 1; turn <= turns; ++turn) {
    exchange(memory, static_cast<int>(bytes));
    begun = turn;
    CHECK(::mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0);
    while (begun != -turn) std::this_thread::yield();
  }
  other.join();
}

void ending_threads() {
  constexpr int count = 40;
  static std::atomic<bool> may_end = false;
  std::vector<std::vector<char>> messages;
  for (int one = 0; one < count; ++one) {
    std::thread([] {
      while (!may_end) ::usleep(1000);
    }).detach();
    messages.emplace_back(20'000);
  }
  for (std::vector<char>& one : messages) exchange(one.data(), static_cast<int>(one.size()));
  may_end = true;
  ::usleep(200'000);
  for (std::vector<char>& one : messages) std::memset(one.data(), 1, one.size());
}

/// Two plugins, of which the second one is loaded where the first one was.
void second_plugin() {
  for (int which = 0; which < 2; ++which) {
    void* plugin = ::dlopen(words[which], RTLD_NOW | RTLD_LOCAL);
    CHECK(plugin != nullptr);
    reinterpret_cast<void (*)()>(::dlsym(plugin, "call_mpi"))();
    CHECK(::dlclose(plugin) == 0);
  }
}

std::atomic<int> handled = 0;
char* guarded = nullptr;

void opens(int /*number*/, siginfo_t* info, void* /*context*/) {
  if (info->si_addr != guarded) ::_exit(9);
  ++handled;
  ::mprotect(guarded, page, PROT_READ | PROT_WRITE);
}

/// Faults of its own, handled on an alternate stack of the heap, which shares pages with messages.
void alternate_stack() {
  use_messages();
  stack_t mine{};
  mine.ss_size = 65536;
  mine.ss_sp = std::malloc(mine.ss_size);
  CHECK(::sigaltstack(&mine, nullptr) == 0);
  struct sigaction action {};
  action.sa_sigaction = opens;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  CHECK(::sigaction(SIGSEGV, &action, nullptr) == 0);
  guarded = static_cast<char*>(mapped());
  for (int turn = 1; turn <= 3; ++turn) {
    CHECK(::mprotect(guarded, page, PROT_NONE) == 0);
    use_messages();
    guarded[0] = 1;
    CHECK(handled == turn);
  }
  stack_t now{};
  CHECK(::sigaltstack(nullptr, &now) == 0);
  CHECK(now.ss_sp == mine.ss_sp);
  mine.ss_flags = SS_DISABLE;
  CHECK(::sigaltstack(&mine, nullptr) == 0);
  CHECK(::sigaltstack(nullptr, &now) == 0);
  CHECK(now.ss_flags == SS_DISABLE);
  use_messages();
}

/// Sends what is on the stack, below what the caller has there.
__attribute__((noinline)) void send_from_the_stack(int turn, void (*send)(void*, int)) {
  char local[100'000];
  std::memset(local, turn, sizeof local);
  send(local, static_cast<int>(sizeof local));
}

/// Uses the same part of the stack again: each call begins in pages of the message.
__attribute__((noinline)) int use_the_stack(int depth) {
  volatile char local[500];
  local[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : use_the_stack(depth - 1) + local[0];
}

std::atomic<void*> offered = nullptr;

/// Another thread sends what is on the stack of this one.
void stack_of_another_thread() {
  for (int turn = 0; turn < 5; ++turn) {
    std::thread owner([turn] {
      for (int again = 0; again < 3; ++again) {
        send_from_the_stack(turn, [](void* memory, int /*count*/) {
          offered = memory;
          while (offered != nullptr) ::sched_yield();
        });
        use_the_stack(150);
      }
    });
    for (int again = 0; again < 3; ++again) {
      while (offered == nullptr) ::sched_yield();
      exchange(offered, 100'000);
      offered = nullptr;
    }
    owner.join();
  }
}

ucontext_t main_context;
ucontext_t other_context;

void coroutine() {
  for (int turn = 0; turn < 5; ++turn) {
    send_from_the_stack(turn, exchange);
    use_the_stack(150);
    ::swapcontext(&other_context, &main_context);
  }
}

/// Messages on the stack of a coroutine, which is memory of the heap.
void coroutine_stack() {
  std::vector<char> stack(1'000'000);
  CHECK(::getcontext(&other_context) == 0);
  other_context.uc_stack.ss_sp = stack.data();
  other_context.uc_stack.ss_size = stack.size();
  other_context.uc_link = &main_context;
  ::makecontext(&other_context, coroutine, 0);
  for (int turn = 0; turn < 5; ++turn) ::swapcontext(&main_context, &other_context);
}

/// Files of the process may not become larger: each attempt is a signal, which ends the program by default.
void small_files() {
  const rlimit limit{.rlim_cur = 65536, .rlim_max = 65536};
  CHECK(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  for (int more = 0; more < 40; ++more) make_calls();  // equal calls take few bytes
}

/// Standard error is closed, and a file of the program's own gets its number.
void own_file_for_errors() {
  ::close(STDERR_FILENO);
  const std::string path = std::string(words[0]) + std::to_string(rank);
  if (::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666) != STDERR_FILENO) std::exit(4);
  small_files();
}

/// Once MPI has ended, rank 0 starts a program of MPI that knows nothing of this one's launcher.
void start_another(const char* program) {
  if (rank != 0) return;
  for (char** one = environ; *one != nullptr;) {
    const std::string variable = *one;
    const std::string variable_name = variable.substr(0, variable.find('='));
    const bool of_launcher = variable_name.rfind("PM", 0) == 0 || variable_name.rfind("HYD", 0) == 0;
    if (!of_launcher || ::unsetenv(variable_name.c_str()) != 0) ++one;
  }
  if (std::system((std::string(program) + " alone").c_str()) != 0) std::exit(4);
}

const std::map<std::string, void (*)()> cases = {
    {"alone", [] {}},
    {"starts_another", make_calls},
    {"closed_descriptors", closed_descriptors},
    {"moved_buffer", moved_buffer},
    {"locked_memory", locked_memory},
    {"second_plugin", second_plugin},
    {"blocked_signals", blocked_signals},
    {"blocking_handler", blocking_handler},
    {"ending_threads", ending_threads},
    {"main_ends_first", use_messages},
    {"touched_while_remapped", touched_while_remapped},
    {"alternate_stack", alternate_stack},
    {"stack_of_another_thread", stack_of_another_thread},
    {"coroutine_stack", coroutine_stack},
    {"small_files", small_files},
    {"own_file_for_errors", own_file_for_errors},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argv[1];
  words = argv + 2;
  const bool early = std::getenv("LOCK_FIRST") != nullptr;
  if (early && ::mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cases.at(name)();
  MPI_Finalize();
  if (name == "closed_descriptors") files_are_intact();
  if (name == "starts_another") start_another(argv[0]);
  if (rank == 0 && name != "alone") std::printf("right\n");
  std::fflush(stdout);
  if (name == "main_ends_first") ::pthread_exit(nullptr);  // the process ends with its last thread
  return 0;
}
