// SPDX-License-Identifier: BSD-3-Clause
// stretto-hosts: finds slow hosts and links. It measures a fixed computation on every rank, and latency and
// bandwidth of all pairs in rounds of disjoint pairs. Rank 0 writes one JSON document (docs/formats.md). The
// exit status is 0 for success, 1 for a failure, and 2 for wrong input.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/statistics.hpp"
#include "measure/work.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/library.hpp"
#include "mpi/program.hpp"
#include "profile/installed.hpp"
#include "record/utc_now.hpp"
#include "tools/command_line.hpp"
#include "tools/pairing.hpp"
#include "tools/request_file.hpp"

namespace {

using namespace stretto;
using mpi::check;
using Json = nlohmann::ordered_json;

constexpr int repeats = 7;                      // samples of each figure
constexpr int ping_pongs = 20;                  // per sample, so that the clock's resolution does not matter
constexpr int window = 8;                       // messages in flight
constexpr std::uint64_t computation = 200'000;  // iterations: some milliseconds
constexpr int ball_tag = 1;
constexpr int stream_tag = 2;
constexpr int answer_tag = 3;

struct Request {
  std::string output;
  std::vector<std::string> command;
  std::uint64_t size_bytes = std::uint64_t{1} << 20;
};

Request read_request(int argc, char** argv, std::string& text) {
  std::string argument;
  tools::CommandLine line("Latency and bandwidth of all pairs of ranks, and each rank's computation");
  line.add("--request", &argument, "what to run: a JSON file, or its text (docs/formats.md)");
  text = line.parse(argc, argv);
  Request request;
  if (!text.empty()) return request;
  if (argument.empty()) throw std::invalid_argument("--request is required");
  tools::RequestReader reader(tools::request_json(argument));
  reader.require("output");
  reader("output", request.output);
  reader("command", request.command);
  reader("size_bytes", request.size_bytes);
  reader.finish();
  if (request.size_bytes < 1 || request.size_bytes > (std::uint64_t{1} << 30)) {
    throw std::invalid_argument("--request: size_bytes is out of range");
  }
  return request;
}

/// The median time of a call, in seconds; one call before the timed ones warms up.
double median_s(const std::function<void()>& step) {
  using Clock = std::chrono::steady_clock;
  step();
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const Clock::time_point start = Clock::now();
    step();
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return measure::median(times);
}

/// Latency and outgoing bandwidth of a rank to every other one; 0 where there is none.
struct Row {
  std::vector<double> latency_s;
  std::vector<double> bandwidth_bytes_per_s;
};

class Link {
 public:
  Link(MPI_Comm communicator, int partner, std::vector<char>& buffer)
      : communicator_(communicator), partner_(partner), buffer_(buffer) {}

  void ping() {
    for (int i = 0; i < ping_pongs; ++i) {
      send(ball_tag);
      receive(ball_tag);
    }
  }

  void pong() {
    for (int i = 0; i < ping_pongs; ++i) {
      receive(ball_tag);
      send(ball_tag);
    }
  }

  void stream(int bytes) {
    MPI_Request requests[window];
    for (MPI_Request& one : requests) {
      check(MPI_Isend(buffer_.data(), bytes, MPI_BYTE, partner_, stream_tag, communicator_, &one),
            "MPI_Isend");
    }
    check(MPI_Waitall(window, requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
    receive(answer_tag);
  }

  void drain(int bytes) {
    for (int i = 0; i < window; ++i) {
      check(MPI_Recv(buffer_.data(), bytes, MPI_BYTE, partner_, stream_tag, communicator_, MPI_STATUS_IGNORE),
            "MPI_Recv");
    }
    send(answer_tag);
  }

 private:
  void send(int tag) { check(MPI_Send(&ball_, 1, MPI_DOUBLE, partner_, tag, communicator_), "MPI_Send"); }
  void receive(int tag) {
    check(MPI_Recv(&ball_, 1, MPI_DOUBLE, partner_, tag, communicator_, MPI_STATUS_IGNORE), "MPI_Recv");
  }

  MPI_Comm communicator_;
  int partner_;
  std::vector<char>& buffer_;
  double ball_ = 0;
};

/// Measures the link to a partner, which does the same. The lower rank is the first to send.
void measure(const Request& request, Link& link, bool first, double& latency_s, double& bandwidth) {
  const auto bytes = static_cast<int>(request.size_bytes);
  const double both_s = median_s([&] { first ? link.ping() : link.pong(); });
  latency_s = both_s / (2 * ping_pongs);
  const auto stream = [&] {
    const double time_s = median_s([&] { link.stream(bytes); });
    bandwidth = static_cast<double>(window) * bytes / time_s;
  };
  const auto drain = [&] { (void)median_s([&] { link.drain(bytes); }); };
  first ? stream() : drain();
  first ? drain() : stream();
}

Row all_links(const Request& request, const mpi::Communicator& communicator) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  Row row{.latency_s = std::vector<double>(ranks), .bandwidth_bytes_per_s = std::vector<double>(ranks)};
  std::vector<char> buffer(request.size_bytes);
  for (int round = 0; round < tools::pairing_rounds(communicator.size()); ++round) {
    check(MPI_Barrier(communicator.get()), "MPI_Barrier");  // all pairs of a round are busy at once
    const int partner = tools::partner_of(communicator.rank(), round, communicator.size());
    if (partner < 0) continue;
    Link link(communicator.get(), partner, buffer);
    const auto place = static_cast<std::size_t>(partner);
    measure(request, link, communicator.rank() < partner, row.latency_s[place],
            row.bandwidth_bytes_per_s[place]);
  }
  return row;
}

/// The rows of all ranks at rank 0 as lists of numbers, null where there is no link.
Json gathered(const std::vector<double>& mine, const mpi::Communicator& communicator) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<double> all(communicator.rank() == 0 ? ranks * mine.size() : 0);
  const auto count = static_cast<int>(mine.size());
  check(MPI_Gather(mine.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, communicator.get()),
        "MPI_Gather");
  Json rows = Json::array();
  for (std::size_t begin = 0; begin < all.size(); begin += mine.size()) {
    Json row = Json::array();
    for (std::size_t i = 0; i < mine.size(); ++i)
      row.push_back(all[begin + i] > 0 ? Json(all[begin + i]) : Json());
    rows.push_back(row);
  }
  return rows;
}

int run(int argc, char** argv) {
  const mpi::Communicator communicator(MPI_COMM_WORLD);
  std::string text;
  const Request request = read_request(argc, argv, text);
  if (!text.empty()) {
    if (communicator.rank() == 0) std::fputs(text.c_str(), stdout);
    return 0;
  }
  measure::CountedWorker worker;
  check(MPI_Barrier(communicator.get()), "MPI_Barrier");
  const double compute_s = median_s([&] { worker.work(measure::WorkKind::registers, computation); });
  const Row row = all_links(request, communicator);
  const std::vector<std::string> hosts = communicator.gather(mpi::processor_name());
  const profile::Cluster cluster = profile::cluster_of_job();
  const Json document{{"schema", "stretto.hosts/1.0"},
                      {"created_utc", record::utc_now()},
                      {"command", request.command},
                      {"mpi", profile::library_line(mpi::library_version())},
                      {"cluster", cluster.name},
                      {"partition", cluster.partition},
                      {"hosts", hosts},
                      {"size_bytes", request.size_bytes},
                      {"compute_s", gathered({compute_s}, communicator)},
                      {"latency_s", gathered(row.latency_s, communicator)},
                      {"bandwidth_bytes_per_s", gathered(row.bandwidth_bytes_per_s, communicator)}};
  if (communicator.rank() != 0) return 0;
  std::ofstream file(request.output);
  file << document.dump(1, ' ', false, nlohmann::detail::error_handler_t::replace) << "\n";
  if (!file.flush()) throw std::runtime_error(request.output + ": cannot be written");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return mpi::run_program("stretto-hosts", argc, argv, MPI_THREAD_SINGLE, [&] { return run(argc, argv); });
}
