// SPDX-License-Identifier: BSD-3-Clause
// stretto-probe: the probes over MPI, real or simulated. Exit status as everywhere: 0 done, 1 failed,
// 2 wrong input, 3 data arrived wrong.
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <set>
#include <sstream>
#include <string_view>

#include "mpi/check.hpp"
#include "probe/run.hpp"
#include "tools/mpi_collectives.hpp"
#include "tools/options.hpp"
#include "transport/host.hpp"
#include "transport/mpi_rma.hpp"
#include "transport/mpi_team.hpp"
#include "transport/mpi_two_sided.hpp"

namespace {

using namespace stretto;

const std::vector<std::string> transport_names = {"mpi-two-sided", "mpi-rma"};

std::unique_ptr<transport::Transport> make_transport(const std::string& name) {
  if (name == "mpi-rma") return std::make_unique<transport::MpiRma>(MPI_COMM_WORLD);
  return std::make_unique<transport::MpiTwoSided>(MPI_COMM_WORLD);
}

std::size_t first_line(std::string_view text) { return std::min(text.find_first_of("\r\n"), text.size()); }

record::MpiIdentity mpi_identity() {
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  mpi::check(MPI_Get_library_version(library, &length), "MPI_Get_library_version");
  std::istringstream words(
      std::string(library, static_cast<std::size_t>(length)).substr(0, first_line(library)));
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  int major = 0;
  int minor = 0;
  mpi::check(MPI_Get_version(&major, &minor), "MPI_Get_version");
  return {.family = STRETTO_MPI_FAMILY,
          .library = text,
          .standard = std::to_string(major) + "." + std::to_string(minor)};
}

/// Where the peers of the probes are: rank r of the first half and r + size/2.
std::string locality_of(const std::vector<int>& nodes) {
  std::set<bool> together;
  for (std::size_t rank = 0; rank < nodes.size() / 2; ++rank) {
    together.insert(nodes[rank] == nodes[rank + nodes.size() / 2]);
  }
  if (together.size() > 1) return "mixed";
  return together.contains(true) ? "same-node" : "remote";
}

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  mpi::check(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  return {name, static_cast<std::size_t>(length)};
}

int run(int argc, char** argv) {
  transport::MpiTeam team(MPI_COMM_WORLD);
  const tools::Options options = tools::options_from(argc, argv, transport_names, false);
  if (!options.help.empty()) {
    if (team.rank() == 0) std::fputs(options.help.c_str(), stdout);
    return 0;
  }
  record::Header header = tools::header_of(argc, argv, options);
  header.mpi = mpi_identity();
  header.hosts = team.control().gather(host_name());
  header.locality = locality_of(team.control().nodes());
  header.clock = {.name = std::string{transport::host_clock_name()},
                  .offset_s = team.offsets_s(),
                  .offset_error_s = team.offset_error_s()};

  std::vector<std::unique_ptr<transport::Transport>> owned;
  std::vector<transport::Transport*> transports;
  transports.reserve(options.settings.transports.size());
  for (const std::string& name : options.settings.transports) {
    transports.push_back(owned.emplace_back(make_transport(name)).get());
  }
  const std::unique_ptr<measure::Worker> worker = transport::host_worker();
  tools::MpiCollectives collectives(team.control().get());
  const probe::RunOutcome outcome = probe::run_probes(
      options.settings, team, *worker, transports, {header, options.preamble, &collectives}, options.output);
  if (outcome.wrong > 0 && team.rank() == 0) {
    std::fprintf(stderr, "stretto-probe: %lld transfers arrived with wrong data\n",
                 static_cast<long long>(outcome.wrong));
  }
  return outcome.wrong > 0 ? 3 : 0;
}

void complain(const std::exception& error, int rank) {
  if (rank == 0) std::fprintf(stderr, "stretto-probe: %s\n", error.what());
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = 1;
  try {
    status = run(argc, argv);
  } catch (const std::invalid_argument& error) {  // found by all ranks alike, before anything has begun
    complain(error, rank);
    status = 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stretto-probe: rank %d: %s\n", rank, error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}
