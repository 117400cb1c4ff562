// SPDX-License-Identifier: BSD-3-Clause
// stretto-analyse-mpi: stretto-analyse by several ranks of MPI, each of which reads its own traces. Rank 0
// prints the document.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "mpi/check.hpp"
#include "mpi/count.hpp"
#include "mpi/program.hpp"
#include "tools/analyse_program.hpp"

namespace {

using namespace stretto;
using mpi::check;

class MpiTeam final : public analysis::Team {
 public:
  [[nodiscard]] std::size_t size() const override {
    int size = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
    return static_cast<std::size_t>(size);
  }
  [[nodiscard]] std::size_t number() const override {
    int rank = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    return static_cast<std::size_t>(rank);
  }
  [[nodiscard]] std::vector<analysis::Bytes> exchange(std::vector<analysis::Bytes> to) override {
    std::vector<std::uint64_t> sent;
    sent.reserve(to.size());
    for (const analysis::Bytes& bytes : to) sent.push_back(bytes.size());
    const std::vector<std::uint64_t> received = exchange_sizes(sent);
    if (std::ranges::find(received, failed) != received.end()) throw analysis::TeamFailed();
    const Blocks out(sent);
    const Blocks in(received);
    analysis::Bytes out_bytes(out.all);
    analysis::Bytes in_bytes(in.all);
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (!to[i].empty()) std::memcpy(out_bytes.data() + out.begins[i], to[i].data(), to[i].size());
    }
    check(MPI_Alltoallv(out_bytes.data(), out.counts.data(), out.begins.data(), MPI_BYTE, in_bytes.data(),
                        in.counts.data(), in.begins.data(), MPI_BYTE, MPI_COMM_WORLD),
          "MPI_Alltoallv");
    std::vector<analysis::Bytes> from;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto first = in_bytes.begin() + in.begins[i];
      from.emplace_back(first, first + in.counts[i]);
    }
    return from;
  }
  void fail() override { static_cast<void>(exchange_sizes(std::vector(size(), failed))); }

 private:
  static constexpr std::uint64_t failed = ~std::uint64_t{0};  // in place of a size

  static std::vector<std::uint64_t> exchange_sizes(const std::vector<std::uint64_t>& sent) {
    std::vector<std::uint64_t> received(sent.size());
    check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD),
          "MPI_Alltoall");
    return received;
  }

  /// Blocks of bytes one behind the other.
  struct Blocks {
    explicit Blocks(const std::vector<std::uint64_t>& sizes) {
      for (const std::uint64_t size : sizes) {
        begins.push_back(mpi::count_of(all, "bytes between processes"));
        counts.push_back(mpi::count_of(size, "bytes between processes"));
        all += size;
      }
      static_cast<void>(mpi::count_of(all, "bytes between processes"));
    }
    std::size_t all = 0;
    std::vector<int> counts;
    std::vector<int> begins;
  };
};

}  // namespace

int main(int argc, char** argv) {
  return mpi::run_program("stretto-analyse", argc, argv, MPI_THREAD_SINGLE, [&] {
    MpiTeam team;
    const tools::AnalyseLine line(argc, argv);
    if (!line.help.empty()) {
      if (team.number() == 0) std::fputs(line.help.c_str(), stdout);
      return 0;
    }
    const std::string document = tools::analysis_document(tools::request_of(line, team), team);
    if (team.number() == 0) std::puts(document.c_str());
    return 0;
  });
}
