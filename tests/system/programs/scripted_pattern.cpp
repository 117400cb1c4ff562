// SPDX-License-Identifier: BSD-3-Clause
// Stores to the parts of a message and loads from them in a scripted order, and logs the times, which
// test_memory.py compares with the trace. Arguments: LOG, doubles per part, us between parts, us of
// independent computation, then any of `copies` (the message is packed by memcpy), `nonblocking`,
// `adjacent` (the message begins within a page, and other data of its last page is accessed before and
// after), `empty` (there are persistent messages that move no data) and `neighbour` (the block of memory
// before the message is freed in each round).
#include <malloc.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace {

constexpr int parts = 8;
constexpr int rounds = 5;

struct Script {
  std::size_t per_part;
  long period_ns;
  long independent_ns;
  bool copies = false;
  bool nonblocking = false;
  bool adjacent = false;

  [[nodiscard]] int count() const { return parts * static_cast<int>(per_part); }
};

struct Entry {
  const char* what;
  int round;
  int part;
  long ns;
};
std::vector<Entry> entries;

long now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void note(const char* what, int round, int part = 0) { entries.push_back({what, round, part, now_ns()}); }

void spin(long ns) {
  for (const long end = now_ns() + ns; now_ns() < end;) {
  }
}

/// Stores the parts in order, then computes independently of the message.
void produce(const Script& script, double* data, int round) {
  for (int part = 0; part < parts; ++part) {
    spin(script.period_ns);
    for (std::size_t i = 0; i < script.per_part; ++i)
      data[part * script.per_part + i] = round + static_cast<double>(i);
    note("produced", round, part);
  }
  spin(script.independent_ns);
  if (script.adjacent) data[script.count()] = round;
}

/// Computes independently of the message, then loads the parts in reverse order.
double consume(const Script& script, const double* data, int round) {
  double sum = script.adjacent ? data[script.count()] : 0.0;
  spin(script.independent_ns);
  for (int part = parts - 1; part >= 0; --part) {
    spin(script.period_ns);
    note("consumed", round, part);
    for (std::size_t i = 0; i < script.per_part; ++i) sum += data[part * script.per_part + i];
  }
  return sum;
}

void send(const Script& script, const double* data, int round) {
  note("sent", round);
  if (!script.nonblocking) {
    MPI_Send(data, script.count(), MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(data, script.count(), MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void receive(const Script& script, double* data, int round) {
  if (script.nonblocking) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data, script.count(), MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(data, script.count(), MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  note("received", round);
}

/// Persistent messages of no elements, and of a column that goes nowhere.
void start_empty_messages(double* data) {
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Request requests[3];
  MPI_Send_init(data, 0, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &requests[0]);
  MPI_Recv_init(data, 0, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &requests[1]);
  MPI_Send_init(data, 1, column, MPI_PROC_NULL, 1, MPI_COMM_SELF, &requests[2]);
  MPI_Startall(3, requests);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  MPI_Type_free(&column);
}

/// Memory for the message that begins on a page, directly behind a small block.
struct Neighbours {
  void* before;
  void* storage;
};

Neighbours neighbours(std::size_t bytes) {
  constexpr std::uintptr_t header = 8;
  std::vector<void*> others;
  others.reserve(8192);
  for (int turn = 0; turn < 4096; ++turn) {
    void* before = std::malloc(turn % 2 == 0 ? 24 : 40);
    const auto end = reinterpret_cast<std::uintptr_t>(before) + malloc_usable_size(before) + header;
    void* storage = end % 4096 == 0 ? std::malloc(bytes) : nullptr;
    if (storage != nullptr && reinterpret_cast<std::uintptr_t>(storage) == end) return {before, storage};
    others.push_back(before);
    if (storage != nullptr) others.push_back(storage);
  }
  MPI_Abort(MPI_COMM_WORLD, 3);  // this allocator puts no block in front of another
  return {};
}

void write_log(const std::string& path, double sum) {
  std::FILE* log = std::fopen(path.c_str(), "w");
  if (log == nullptr) std::abort();
  for (const Entry& one : entries) std::fprintf(log, "%s %d %d %ld\n", one.what, one.round, one.part, one.ns);
  std::fprintf(log, "sum 0 0 %ld\n", static_cast<long>(sum));
  std::fclose(log);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 5) MPI_Abort(MPI_COMM_WORLD, 2);
  const auto asked = [&](const char* word) {
    return std::any_of(argv + 5, argv + argc, [&](const char* one) { return std::strcmp(one, word) == 0; });
  };
  const Script script{.per_part = std::strtoul(argv[2], nullptr, 10),
                      .period_ns = 1000 * std::strtol(argv[3], nullptr, 10),
                      .independent_ns = 1000 * std::strtol(argv[4], nullptr, 10),
                      .copies = asked("copies"),
                      .nonblocking = asked("nonblocking"),
                      .adjacent = asked("adjacent")};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  entries.reserve(1024);
  const std::size_t bytes = parts * script.per_part * sizeof(double);
  constexpr std::size_t before = 8;
  const std::size_t whole = (bytes + 3 * 4096) / 4096 * 4096;
  Neighbours memory =
      asked("neighbour") ? neighbours(whole) : Neighbours{nullptr, std::aligned_alloc(4096, whole)};
  auto* storage = static_cast<double*>(memory.storage);
  double* data = storage + (script.adjacent ? before : 0);
  std::vector<double> unpacked(parts * script.per_part);
  double sum = 0;
  if (asked("empty")) start_empty_messages(data);
  note("began", 0);
  for (int round = 0; round < rounds; ++round) {
    if (memory.before != nullptr) {
      const std::size_t usable = malloc_usable_size(memory.before);
      std::free(memory.before);
      memory.before = std::malloc(usable);
    }
    if (rank == 0) {
      produce(script, script.copies ? unpacked.data() : data, round);
      if (script.copies) std::memcpy(data, unpacked.data(), bytes);
      if (script.copies) note("packed", round);
      send(script, data, round);
      note("resumed", round);
    } else {
      receive(script, data, round);
      sum += consume(script, data, round);
      note("done", round);
    }
  }
  write_log(std::string(argv[1]) + "." + std::to_string(rank), sum);
  std::free(memory.before);
  std::free(storage);
  return MPI_Finalize();
}
