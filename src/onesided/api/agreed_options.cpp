// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/agreed_options.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stretto/error.hpp>
#include <string>
#include <vector>

#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "onesided/api/agreement.hpp"
#include "onesided/api/resolve_options.hpp"
#include "profile/installed.hpp"
#include "profile/runtime_settings.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

/// Reads the profile, at rank 0; `error` receives a message for all ranks.
profile::RuntimeSettings read_profile(const std::vector<std::string>& hosts, std::string& error) {
  const char* const named = std::getenv("STRETTO_PROFILE");
  if (named != nullptr && named[0] != '\0') {
    try {
      return profile::read_runtime_settings(named);
    } catch (const std::runtime_error& caught) {
      error = caught.what();
      return {};
    }
  }
  const auto installed = profile::find_installed(profile::library_line(mpi::library_version()), hosts);
  if (!installed) return {};
  try {
    return profile::read_runtime_settings(*installed);
  } catch (const std::runtime_error& caught) {
    std::fprintf(stderr, "stretto: %s\n", caught.what());
    return {};
  }
}

/// Fills in the options that are 0 from the profile that STRETTO_PROFILE names, or else from the one
/// installed for this MPI and these hosts: rank 0 reads it, and all ranks get the same. Collective. Throws
/// Error on all ranks where STRETTO_PROFILE names no readable profile. An installed one that cannot be read
/// is reported on stderr and not used.
Options with_profile_settings(Options options, const mpi::Communicator& communicator) {
  const std::vector<std::string> hosts = communicator.gather(mpi::processor_name());
  std::string error;
  profile::RuntimeSettings settings;
  if (communicator.rank() == 0) settings = read_profile(hosts, error);
  error = communicator.broadcast(error);
  if (!error.empty()) throw Error(error);
  check(MPI_Bcast(&settings, sizeof settings, MPI_BYTE, 0, communicator.get()), "MPI_Bcast");
  if (options.poll_interval_s == 0) options.poll_interval_s = settings.poll_interval_s;
  if (options.segment_bytes == 0) options.segment_bytes = settings.segment_bytes;
  if (options.outstanding == 0) options.outstanding = static_cast<int>(settings.outstanding);
  return options;
}

template <typename Choice>
std::int64_t number(const std::optional<Choice>& choice) {
  return choice ? static_cast<std::int64_t>(*choice) : -1;
}

/// Throws ArgumentError on all ranks where an option differs by which ranks decide alike, or understand each
/// other's packets.
void check_same(const Options& options, MPI_Comm over) {
  constexpr std::size_t count = 7;
  constexpr std::array<const char*, count> names{"path",     "contiguous",    "outstanding", "node_ranks",
                                                 "contexts", "segment_bytes", "timeout_s"};
  const std::array<std::int64_t, count> mine{number(options.path),
                                             number(options.contiguous),
                                             options.outstanding,
                                             options.node_ranks,
                                             options.contexts,
                                             static_cast<std::int64_t>(options.segment_bytes),
                                             options.timeout_s > 0 ? 1 : 0};
  std::array<std::int64_t, 2 * count> most{};  // of the numbers, and of the numbers below zero
  for (std::size_t i = 0; i < count; ++i) {
    most[i] = mine[i];
    most[count + i] = -mine[i];
  }
  check(MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_INT64_T, MPI_MAX, over),
        "MPI_Allreduce");
  for (std::size_t i = 0; i < count; ++i) {
    if (most[i] != -most[count + i]) throw ArgumentError(names[i], "is not the same on all ranks");
  }
}

}  // namespace

void check_communicator(MPI_Comm communicator) {
  int initialised = 0;
  int finalized = 0;
  check(MPI_Initialized(&initialised), "MPI_Initialized");
  check(MPI_Finalized(&finalized), "MPI_Finalized");
  if (initialised == 0) throw ArgumentError("communicator", "is not there: MPI is not initialised");
  if (finalized != 0) throw ArgumentError("communicator", "is not there any more: MPI is finalized");
  if (communicator == MPI_COMM_NULL) throw ArgumentError("communicator", "is MPI_COMM_NULL");
  int between_groups = 0;
  check(MPI_Comm_test_inter(communicator, &between_groups), "MPI_Comm_test_inter");
  if (between_groups != 0) {
    throw ArgumentError("communicator",
                        "is an intercommunicator; MPI_Intercomm_merge makes one of its ranks");
  }
}

Options agreed_options(const Options& requested, const mpi::Communicator& communicator) {
  Options options = with_profile_settings(requested, communicator);
  agree(communicator.get(), [&] {
    options = resolve_options(options);
    (void)resolve_progress(options);
  });
  check_same(options, communicator.get());
  return options;
}

}  // namespace stretto::onesided
