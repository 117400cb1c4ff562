// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/profile_options.hpp"

#include <cstdio>
#include <cstdlib>
#include <stretto/error.hpp>
#include <string>
#include <vector>

#include "mpi/check.hpp"
#include "profile/installed.hpp"
#include "profile/runtime_settings.hpp"

namespace stretto::onesided {
namespace {

using mpi::check;

std::string host_name() {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  check(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  return {name, static_cast<std::size_t>(length)};
}

std::string library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  check(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  return profile::library_line({text, static_cast<std::size_t>(length)});
}

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
  const auto installed = profile::find_installed(library(), hosts);
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
  const std::vector<std::string> hosts = communicator.gather(host_name());
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
