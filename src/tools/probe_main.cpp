// SPDX-License-Identifier: BSD-3-Clause
// stretto-probe: the probes over MPI, real or simulated. Exit status as everywhere: 0 done, 1 failed,
// 2 wrong input, 3 data arrived wrong.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>
#include <stretto/runtime.hpp>
#include <string_view>

#include "exchange/mpi_team.hpp"
#include "exchange/platform.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "mpi/program.hpp"
#include "probe/run.hpp"
#include "profile/installed.hpp"
#include "tools/mpi_collectives.hpp"
#include "tools/mpi_nonblocking.hpp"
#include "tools/probe_request.hpp"

namespace {

using namespace stretto;

bool requests(const probe::Settings& settings, exchange::ProgressMode progress) {
  return std::ranges::find(settings.progress, progress) != settings.progress.end();
}

exchange::ChannelRequest channel_request(const probe::Settings& settings, exchange::MpiTeam& team) {
  return {.communicator = MPI_COMM_WORLD,
          .team = team,
          .progress = settings.progress,
          .paths = settings.paths,
          .poll_interval_s = settings.poll_interval_s,
          .segment_bytes = settings.segment_bytes};
}

/// Throws std::invalid_argument where a progress thread is requested but not available.
void check_threads(const probe::Settings& settings) {
  if (!requests(settings, exchange::ProgressMode::thread)) return;
#ifdef STRETTO_SIMGRID
  throw std::invalid_argument(
      "--progress thread: SimGrid's ranks have no threads of their own; use poll or none");
#else
  if (!mpi::may_thread()) {
    throw std::invalid_argument(
        "--progress thread: this MPI gives no MPI_THREAD_MULTIPLE; use poll, or an MPI built with it");
  }
#endif
}

record::MpiIdentity mpi_identity() {
  int major = 0;
  int minor = 0;
  mpi::check(MPI_Get_version(&major, &minor), "MPI_Get_version");
  const std::string line = profile::library_line(mpi::library_version());
  return {.family = mpi::family_of(STRETTO_MPI_FAMILY, line),
          .library = line,
          .standard = std::to_string(major) + "." + std::to_string(minor)};
}

/// Whether the peers of the probes (rank r of the first half and r + size/2) share a node.
std::string locality_of(const std::vector<int>& nodes) {
  std::set<bool> together;
  for (std::size_t rank = 0; rank < nodes.size() / 2; ++rank) {
    together.insert(nodes[rank] == nodes[rank + nodes.size() / 2]);
  }
  if (together.size() > 1) return "mixed";
  return together.contains(true) ? "same-node" : "remote";
}

/// Effective options of this run's progress threads, for the header. The runtime has already read the
/// machine profile. Collective.
record::Fields thread_settings(const probe::Settings& settings, exchange::MpiTeam& team) {
  const bool requested = std::ranges::find(settings.transports, "stretto") != settings.transports.end();
  if (!requested || !requests(settings, exchange::ProgressMode::thread)) return {};
  Runtime runtime(MPI_COMM_WORLD, exchange::thread_options(channel_request(settings, team)));
  const Options& options = runtime.options();
  record::Fields fields{{"pace_s", options.poll_interval_s},
                        {"segment_bytes", static_cast<std::int64_t>(options.segment_bytes)},
                        {"outstanding", std::int64_t{options.outstanding}}};
  runtime.finalize();
  return fields;
}

/// The transports that this MPI cannot have.
std::vector<record::Skipped> missing_transports(const probe::Settings& settings) {
  const std::string name = "mpi-partitioned";
  const std::string_view why = exchange::partitioned_absence();
  if (why.empty() || std::ranges::find(settings.transports, name) == settings.transports.end()) return {};
  return {{.probe = "partitioned", .transport = name, .reason = std::string{why}}};
}

/// The command line. It is read before MPI_Init_thread, because it determines the thread level. Its error
/// is reported later, when rank 0 is known.
struct CommandLine {
  tools::ProbeCommandLine given;
  std::exception_ptr error;

  CommandLine(int argc, char** argv) {
    try {
      given = tools::probe_command_line(argc, argv, exchange::probe_transports(), false);
    } catch (const std::exception&) {
      error = std::current_exception();
    }
  }
  /// The thread level of MPI: MPI_THREAD_MULTIPLE only where threads are requested, because it makes every
  /// MPI call take locks.
  [[nodiscard]] int thread_level() const {
    const bool threads = requests(given.request.settings, exchange::ProgressMode::thread);
    return threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  }
};

int run(int argc, char** argv, const CommandLine& line) {
  if (line.error) std::rethrow_exception(line.error);
  const tools::ProbeRequest& request = line.given.request;
  const probe::Settings& settings = request.settings;
  check_threads(settings);
  exchange::MpiTeam team(MPI_COMM_WORLD);
  if (!line.given.text.empty()) {
    if (team.rank() == 0) std::fputs(line.given.text.c_str(), stdout);
    return 0;
  }
  record::Header header = tools::header_of(argc, argv, request);
  header.mpi = mpi_identity();
  header.hosts = team.control().gather(mpi::processor_name());
  const profile::Cluster cluster = profile::cluster_of_job();
  header.cluster = cluster.name;
  header.partition = cluster.partition;
  header.locality = locality_of(team.control().nodes());
  header.clock = {.name = std::string{exchange::clock_name()},
                  .offset_s = team.offsets_s(),
                  .offset_error_s = team.offset_error_s()};

  exchange::Channels owned;
  for (const std::string& name : settings.transports) {
    exchange::add_channels(name, channel_request(settings, team), owned);
  }
  std::vector<exchange::Channel*> transports;
  for (const auto& one : owned) transports.push_back(one.get());
  header.settings = thread_settings(settings, team);
  const std::unique_ptr<measure::Worker> worker = exchange::make_worker();
  tools::MpiCollectives collectives(team.control().get());
  tools::MpiNonblocking nonblocking(team.control().get());
  const probe::RunOutcome outcome = probe::run_probes(
      settings, team, *worker, transports,
      {header, request.preamble, &collectives, &nonblocking, missing_transports(settings)}, request.output);
  if (outcome.wrong > 0 && team.rank() == 0) {
    std::fprintf(stderr, "stretto-probe: %lld transfers arrived with wrong data\n",
                 static_cast<long long>(outcome.wrong));
  }
  return outcome.wrong > 0 ? 3 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line(argc, argv);
  return mpi::run_program("stretto-probe", argc, argv, line.thread_level(),
                          [&] { return run(argc, argv, line); });
}
