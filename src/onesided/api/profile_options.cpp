// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/profile_options.hpp"

#include <cstdio>
#include <cstdlib>
#include <stretto/error.hpp>
#include <string>
#include <vector>

#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "profile/installed.hpp"
#include "profile/runtime_settings.hpp"

namespace stretto::onesided {
namespace {

using mpi::check;

/// Reads the profile, at rank 0; `error` receives a message for all ranks.
profile::RuntimeSettings read(const std::vector<std::string>& hosts, std::string& error) {
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

}  // namespace

Options with_profile_settings(Options options, const mpi::Communicator& communicator) {
  const std::vector<std::string> hosts = communicator.gather(mpi::processor_name());
  std::string error;
  profile::RuntimeSettings settings;
  if (communicator.rank() == 0) settings = read(hosts, error);
  error = communicator.broadcast(error);
  if (!error.empty()) throw Error(error);
  check(MPI_Bcast(&settings, sizeof settings, MPI_BYTE, 0, communicator.get()), "MPI_Bcast");
  if (options.poll_interval_s == 0) options.poll_interval_s = settings.poll_interval_s;
  if (options.segment_bytes == 0) options.segment_bytes = settings.segment_bytes;
  if (options.outstanding == 0) options.outstanding = static_cast<int>(settings.outstanding);
  return options;
}

}  // namespace stretto::onesided
