// SPDX-License-Identifier: BSD-3-Clause
// The program of known_data.c as C++ has it: containers, algorithms, and templates.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr std::size_t count = 16384;
constexpr int steps = 12;

using Values = std::vector<double>;

template <typename From>
[[gnu::noinline]] void independent(Values& to, const From& from) {
  for (std::size_t i = 0; i < count; ++i) to[i] = 0.5 * to[i] + from[i];
}

template <typename From>
[[gnu::noinline]] void dependent(Values& to, const From& from) {
  for (std::size_t i = 0; i < count; ++i) to[i] = 0.25 * to[i] + from[i];
}

struct Data {
  Values own = Values(count, 3);
  Values other = Values(count);
  Values result = Values(count);
  Values derived = Values(count);
  std::array<Values, 2> copies = {Values(count), Values(count)};
  std::array<Values, 2> in = {Values(2 * count), Values(2 * count)};
  Values out = Values(2 * count, 2);
};

[[gnu::noinline]] void mixed(Data& data, const Values& came) {
  for (std::size_t i = 0; i < count; ++i) {
    data.result[i] = 0.5 * data.result[i] + (i < count / 4 ? came : data.own)[i];
  }
}

[[gnu::noinline]] void unpack(Values& to, const Values& from, std::size_t stride) {
  std::size_t next = 0;
  std::generate(to.begin(), to.end(), [&] { return from[stride * next++]; });
}

void exchange(const Values& out, Values& in, std::size_t size) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::array<MPI_Request, 2> requests{};
  MPI_Irecv(in.data(), static_cast<int>(size), MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out.data(), static_cast<int>(size), MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
}

using Step = std::function<void(Data&, const Values& came, const Values& before)>;

const std::map<std::string, Step> modes = {
    {"interior", [](Data& data, const Values&, const Values&) { independent(data.result, data.own); }},
    {"boundary", [](Data& data, const Values& came, const Values&) { dependent(data.result, came); }},
    {"packed",
     [](Data& data, const Values& came, const Values&) {
       unpack(data.copies[0], came, 1);
       mixed(data, data.copies[0]);
     }},
    {"strided",
     [](Data& data, const Values& came, const Values&) {
       unpack(data.copies[0], came, 2);
       mixed(data, data.copies[0]);
     }},
    {"double-buffered",
     [](Data& data, const Values&, const Values& before) { independent(data.result, before); }},
    {"reused",
     [](Data& data, const Values& came, const Values&) {
       independent(data.result, data.derived);
       dependent(data.derived, came);
     }},
    {"copied-twice",
     [](Data& data, const Values& came, const Values&) {
       std::copy_n(came.begin(), count, data.copies[0].begin());
       unpack(data.copies[1], data.copies[0], 1);
       dependent(data.result, data.copies[1]);
       independent(data.other, data.own);
     }},
    {"sent",  // by the next step
     [](Data& data, const Values&, const Values&) {
       dependent(data.out, data.own);
       independent(data.other, data.own);
     }},
    {"sent-packed",
     [](Data& data, const Values&, const Values&) {
       dependent(data.copies[0], data.own);
       independent(data.other, data.own);
       std::copy_n(data.copies[0].begin(), count, data.out.begin());
     }},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string mode = argc > 1 ? argv[1] : "";
  if (modes.count(mode) == 0) MPI_Abort(MPI_COMM_WORLD, 2);
  Data data;
  for (int number = 0; number < steps; ++number) {
    Values& came = data.in[mode == "double-buffered" ? static_cast<std::size_t>(number % 2) : 0];
    exchange(data.out, came, mode == "strided" ? 2 * count : count);
    modes.at(mode)(data, came, data.in[static_cast<std::size_t>((number + 1) % 2)]);
  }
  return MPI_Finalize();
}
