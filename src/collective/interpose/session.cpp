// SPDX-License-Identifier: BSD-3-Clause
#include "collective/interpose/session.hpp"

#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "collective/flat.hpp"
#include "mpi/abort.hpp"
#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "mpi/next_function.hpp"
#include "mpi/statistics_file.hpp"
#include "mpi/world.hpp"
#include "profile/installed.hpp"

namespace stretto::interpose {
namespace {

using mpi::world_rank;

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string{} : std::string{text};
}

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "stretto: %s\n", what.c_str());
  std::fflush(stderr);
  std::_Exit(2);
}

struct MpiFiles {
  std::string ours;   ///< the library file that this library's MPI calls resolve to
  std::string other;  ///< a further MPI library in this process
};

std::string real_path(const char* path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? std::string{path} : real.string();
}

int visit_module(dl_phdr_info* object, std::size_t /*size*/, void* data) {
  auto& files = *static_cast<MpiFiles*>(data);
  const std::string_view path = object->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool is_mpi = name.starts_with("libmpi.so") || name.starts_with("libmpich.so") ||
                      name.starts_with("libmpi_abi.so") || name.starts_with("libmpi_cray.so");
  if (is_mpi && real_path(object->dlpi_name) != files.ours) files.other = path;
  return 0;
}

/// Refuses a process with two MPI libraries, the program's and ours, because their handles differ.
void refuse_another_mpi() {
  Dl_info where{};
  MpiFiles files;
  if (dladdr(reinterpret_cast<void*>(&PMPI_Init), &where) != 0) files.ours = real_path(where.dli_fname);
  dl_iterate_phdr(visit_module, &files);
  if (!files.other.empty()) {
    refuse("this libstretto_collectives.so is built for " STRETTO_MPI_FAMILY " (" + files.ours +
           "), the program has " + files.other + ": preload the one of its MPI (stretto preload --mpi)");
  }
  const std::string library = profile::library_line(mpi::library_version());
  const bool is_openmpi = library.starts_with("Open MPI");
  const std::string_view family = STRETTO_MPI_FAMILY;
  if (family != "mpi-abi" && is_openmpi != (family == "openmpi")) {
    refuse("this libstretto_collectives.so is built for " STRETTO_MPI_FAMILY ", the program runs " + library +
           ": preload the one of its MPI (stretto preload --mpi)");
  }
}

collective::FlatOperations next_operations() {
  return {.broadcast = NEXT(MPI_Bcast),
          .gather = NEXT(MPI_Gather),
          .scatter = NEXT(MPI_Scatter),
          .reduce = NEXT(MPI_Reduce),
          .allreduce = NEXT(MPI_Allreduce),
          .allgather = NEXT(MPI_Allgather),
          .allgatherv = NEXT(MPI_Allgatherv),
          .reduce_scatter = NEXT(MPI_Reduce_scatter_block),
          .reduce_scatterv = NEXT(MPI_Reduce_scatter),
          .alltoall = NEXT(MPI_Alltoall)};
}

/// Broadcasts rank 0's text.
std::string shared(std::string text) {
  mpi::check(mpi::broadcast_text(text, MPI_COMM_WORLD), "MPI_Bcast");
  return text;
}

/// The host name of each rank, at rank 0. Collective.
std::vector<std::string> hosts_of(MPI_Comm communicator) {
  constexpr std::size_t name_bytes = MPI_MAX_PROCESSOR_NAME;
  std::string mine = mpi::processor_name();
  mine.resize(name_bytes);
  int rank = 0;
  int ranks = 0;
  mpi::check(PMPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  mpi::check(PMPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::string all(rank == 0 ? static_cast<std::size_t>(ranks) * name_bytes : 0, '\0');
  mpi::check(PMPI_Gather(mine.data(), static_cast<int>(name_bytes), MPI_CHAR, all.data(),
                         static_cast<int>(name_bytes), MPI_CHAR, 0, communicator),
             "MPI_Gather");
  std::vector<std::string> hosts;
  for (std::size_t at = 0; at < all.size(); at += name_bytes) hosts.emplace_back(all.data() + at);
  return hosts;
}

/// At rank 0: the profile's path if one exists; else what it would be a profile of. Elsewhere empty.
struct InstalledProfile {
  std::string path;
  std::string machine;
};

/// Finds the installed profile of the machine that MPI_COMM_WORLD runs on. Collective.
InstalledProfile installed_profile() {
  const std::vector<std::string> hosts = hosts_of(MPI_COMM_WORLD);
  if (hosts.empty()) return {};  // not rank 0
  const std::string library = profile::library_line(mpi::library_version());
  if (const auto path = profile::find_installed(library, hosts))
    return {.path = path->string(), .machine = ""};
  const profile::Cluster cluster = profile::cluster_of_job();
  std::string machine = library + " on ";
  if (cluster.name.empty()) {
    machine += hosts.front();
  } else {
    machine += "cluster " + cluster.name + (cluster.partition.empty() ? "" : "/") + cluster.partition;
  }
  return {.path = "", .machine = machine};
}

}  // namespace

// Reads rank 0's environment: a launcher may give ranks different environments, and all ranks must choose
// alike.
Environment Environment::read() {
  return {.profile = shared(variable("STRETTO_PROFILE")),
          .grids = shared(variable("STRETTO_GRIDS")),
          .algorithm = shared(variable("STRETTO_ALGORITHM")),
          .statistics = shared(variable("STRETTO_STATISTICS"))};
}

CollectivesSession& CollectivesSession::instance() {
  static CollectivesSession session;
  return session;
}

void CollectivesSession::begin() {
  refuse_another_mpi();
  try {
    begin_checked();
  } catch (const std::exception& error) {
    if (world_rank() == 0) {
      std::fprintf(stderr, "stretto: %s\n", error.what());
      std::fflush(stderr);
    }
    // All ranks abort after the line is printed. If only one rank exits, a launcher kills the others and
    // returns a status of its own.
    mpi::end_with_launcher();
    PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
}

void CollectivesSession::begin_checked() {
  collective::set_library_operations(next_operations());
  collective::CommunicatorState::caller_frees_world();
  environment_ = Environment::read();
  if (!environment_.algorithm.empty()) {
    const auto algorithm = collective::algorithm_from(environment_.algorithm);
    if (!algorithm) {
      throw std::invalid_argument("STRETTO_ALGORITHM=" + environment_.algorithm +
                                  ": give library or reference");
    }
    collective::use_algorithm(*algorithm);
  }
  try {
    collective::force_forms(environment_.grids);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("STRETTO_GRIDS: " + std::string{error.what()});
  }
  if (!environment_.profile.empty()) {
    load(environment_.profile, true);
  } else {
    const InstalledProfile found = installed_profile();
    if (!found.machine.empty() && environment_.grids.empty()) {
      std::fprintf(
          stderr,
          "stretto: no profile of %s: every collective stays flat; `stretto probe collective -o run` "
          "in such a job and `stretto fit run --install` make it\n",
          found.machine.c_str());
    }
    load(shared(found.path), false);
  }
  if (!environment_.statistics.empty()) statistics_.emplace();
  const bool chooses = collective::Chooser::instance().functions().size() > 0 || !environment_.grids.empty();
  active_ = chooses || statistics_.has_value();
}

void CollectivesSession::load(const std::string& path, bool asked_for) {
  if (path.empty()) return;
  profile_ = path;
  const std::size_t functions = collective::load_profile(path, MPI_COMM_WORLD);
  if (functions == 0 && asked_for && world_rank() == 0) {
    std::fprintf(stderr,
                 "stretto: %s has no runtime functions of collectives, every call stays flat; "
                 "`stretto probe collective` and `stretto fit` make them\n",
                 path.c_str());
  }
}

void CollectivesSession::end() {
  if (!active_.exchange(false)) return;
  collective::CommunicatorState::free_world();
  if (!statistics_) return;
  const std::string table = statistics_->table(MPI_COMM_WORLD, profile_);
  if (!table.empty()) mpi::write_statistics(environment_.statistics, table);
}

}  // namespace stretto::interpose
