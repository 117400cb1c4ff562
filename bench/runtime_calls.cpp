// SPDX-License-Identifier: BSD-3-Clause
// Compares the cost of the runtime's calls on one node with MPI's calls and with memory copies. Rank 0 moves
// data to and from rank 1, which waits in a barrier. Variants of a case are interleaved within each round.
//
//   mpiexec -n 2 runtime_calls SAMPLES.jsonl ROUNDS
#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <string_view>
#include <vector>

#include "bench_header.hpp"
#include "measure/clock.hpp"
#include "record/sample_file.hpp"

namespace {

using namespace stretto;

constexpr double shortest_sample_s = 200e-6;
constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t pieces = 1024;
constexpr std::size_t piece_bytes = 8;
constexpr std::size_t stride_bytes = 24;

/// A compiler barrier: the compiler must assume that memory was read and written.
void keep_memory() { asm volatile("" ::: "memory"); }

struct Variant {
  const char* name;
  std::function<void(int)> repeat;  // runs the operation this many times
};

struct Case {
  const char* name;
  std::size_t size_bytes;
  std::vector<Variant> variants;
};

/// A window that stays locked.
class Window {
 public:
  explicit Window(std::size_t size_bytes, bool allocated) {
    const auto size = static_cast<MPI_Aint>(size_bytes);
    if (allocated) {
      void* memory = nullptr;
      MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window_);
    } else {
      own_.resize(size_bytes);
      MPI_Win_create(own_.data(), size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window_);
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  [[nodiscard]] MPI_Win get() const { return window_; }

 private:
  std::vector<char> own_;
  MPI_Win window_ = MPI_WIN_NULL;
};

class Cases {
 public:
  Cases()
      : allocated_(2 * mebibyte, true),
        created_(2 * mebibyte, false),
        runtime_(MPI_COMM_WORLD, {.progress = Progress::poll}),
        by_window_(MPI_COMM_WORLD, {.progress = Progress::poll, .path = Path::rma}),
        region_(runtime_, 2 * mebibyte),
        window_region_(by_window_, 64),
        here_(2 * mebibyte, std::byte{1}) {
    MPI_Type_vector(pieces, piece_bytes, stride_bytes, MPI_BYTE, &vector_);
    MPI_Type_commit(&vector_);
  }
  Cases(const Cases&) = delete;
  Cases& operator=(const Cases&) = delete;
  ~Cases() {
    MPI_Type_free(&vector_);
    window_region_.free();
    region_.free();
  }

  [[nodiscard]] std::vector<Case> all() {
    return {{"put-fence", 8, {{"stretto", puts(8)}, {"mpi-rma", mpi_puts(8)}}},
            {"put-fence", mebibyte, {{"stretto", puts(mebibyte)}, {"memcpy", copies(mebibyte, true)}}},
            {"strided-put-fence",
             pieces * piece_bytes,
             {{"stretto", strided_puts()},
              {"mpi-vector-allocated", vector_puts(allocated_)},
              {"mpi-vector-created", vector_puts(created_)}}},
            {"nonblocking-get-wait", 8, {{"stretto", gets(runtime_, region_)}, {"memcpy", copies(8, false)}}},
            {"nonblocking-get-wait-rma",
             8,
             {{"stretto", gets(by_window_, window_region_)}, {"mpi-rma", mpi_gets()}}}};
  }

 private:
  [[nodiscard]] std::function<void(int)> puts(std::size_t size_bytes) {
    return [this, size_bytes](int count) {
      for (int i = 0; i < count; ++i) {
        put(region_, {.target = 1}, Source(here_.data(), size_bytes));
        runtime_.fence(1);
      }
    };
  }

  [[nodiscard]] std::function<void(int)> mpi_puts(int size) {
    return [this, size](int count) {
      for (int i = 0; i < count; ++i) {
        MPI_Put(here_.data(), size, MPI_BYTE, 1, 0, size, MPI_BYTE, allocated_.get());
        MPI_Win_flush(1, allocated_.get());
      }
    };
  }

  [[nodiscard]] std::function<void(int)> copies(std::size_t size_bytes, bool there) {
    return [this, size_bytes, there](int count) {
      std::byte* const neighbour = region_.node_local_pointer(1);
      for (int i = 0; i < count; ++i) {
        std::memcpy(there ? neighbour : here_.data(), there ? here_.data() : neighbour, size_bytes);
        keep_memory();
      }
    };
  }

  [[nodiscard]] std::function<void(int)> strided_puts() {
    return [this](int count) {
      constexpr std::array<std::size_t, 2> counts = {piece_bytes, pieces};
      constexpr std::array<std::size_t, 1> strides = {stride_bytes};
      for (int i = 0; i < count; ++i) {
        put(region_, {.target = 1}, here_.data(), {counts, strides, strides});
        runtime_.fence(1);
      }
    };
  }

  [[nodiscard]] std::function<void(int)> vector_puts(const Window& window) {
    return [this, &window](int count) {
      for (int i = 0; i < count; ++i) {
        MPI_Put(here_.data(), 1, vector_, 1, 0, 1, vector_, window.get());
        MPI_Win_flush(1, window.get());
      }
    };
  }

  [[nodiscard]] std::function<void(int)> gets(Runtime& runtime, Region& region) {
    return [this, &runtime, &region](int count) {
      for (int i = 0; i < count; ++i) {
        Handle handle = nonblocking::get(region, {.target = 1}, Sink(here_.data(), 8));
        runtime.wait(handle);
      }
    };
  }

  [[nodiscard]] std::function<void(int)> mpi_gets() {
    return [this](int count) {
      for (int i = 0; i < count; ++i) {
        MPI_Get(here_.data(), 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, allocated_.get());
        MPI_Win_flush_local(1, allocated_.get());
      }
    };
  }

  Window allocated_;
  Window created_;
  Runtime runtime_;
  Runtime by_window_;
  Region region_;
  Region window_region_;
  std::vector<std::byte> here_;
  MPI_Datatype vector_ = MPI_DATATYPE_NULL;
};

double time_s(const Variant& variant, int count) {
  const double begin_s = measure::monotonic_s();
  variant.repeat(count);
  return measure::monotonic_s() - begin_s;
}

int count_for(const Variant& variant) {
  int count = 1;
  while (count < 1'000'000 && time_s(variant, count) < shortest_sample_s) count *= 2;
  return count;
}

void measure_case(const Case& one, int index, int rounds, record::SampleFile& file, std::mt19937& order) {
  std::vector<int> counts;
  std::vector<std::size_t> sequence;
  for (const Variant& variant : one.variants) {
    sequence.push_back(counts.size());
    counts.push_back(count_for(variant));
  }
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(sequence.begin(), sequence.end(), order);
    for (const std::size_t which : sequence) {
      const Variant& variant = one.variants[which];
      file.append(record::Sample{.probe = one.name,
                                 .case_index = index,
                                 .quantity = variant.name,
                                 .round = round,
                                 .time_s = time_s(variant, counts[which]),
                                 .messages = counts[which],
                                 .ranks = 2,
                                 .axes = {{"size_bytes", static_cast<std::int64_t>(one.size_bytes)}}});
    }
  }
}

void run(int argc, char** argv, int rank, int rounds) {
  Cases cases;
  const record::Header head = bench::header(argc, argv, static_cast<int>(cases.all().size()));
  if (rank == 0) {
    record::SampleFile file(argv[1]);
    file.append(head);
    std::mt19937 order(1);
    int index = 0;
    for (const Case& one : cases.all()) measure_case(one, index++, rounds, file, order);
    file.finish();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rounds = 0;
  if (argc == 3) std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), rounds);
  if (size != 2 || rounds < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: mpiexec -n 2 runtime_calls SAMPLES.jsonl ROUNDS\n");
    MPI_Finalize();
    return 2;
  }
  run(argc, argv, rank, rounds);
  MPI_Finalize();
  return 0;
}
