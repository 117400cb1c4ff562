// SPDX-License-Identifier: BSD-3-Clause
#include "bench_header.hpp"

#include <mpi.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "profile/installed.hpp"
#include "record/utc_now.hpp"
#include "version.hpp"

namespace stretto::bench {
namespace {

bool are_on_one_node(int ranks) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int size = 0;
  MPI_Comm_size(node, &size);
  MPI_Comm_free(&node);
  return size == ranks;
}

}  // namespace

record::Header header(int argc, char** argv, int cases) {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  int length = 0;
  MPI_Get_library_version(library.data(), &length);
  const std::string text = profile::library_line({library.data(), static_cast<std::size_t>(length)});
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
  Name mine{};
  MPI_Get_processor_name(mine.data(), &length);
  std::vector<Name> names(static_cast<std::size_t>(ranks));
  MPI_Allgather(mine.data(), mine.size(), MPI_CHAR, names.data(), mine.size(), MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> hosts;
  hosts.reserve(names.size());
  for (const Name& name : names) hosts.emplace_back(name.data());
  int major = 0;
  int minor = 0;
  MPI_Get_version(&major, &minor);
  const bool together = are_on_one_node(ranks);
  return {
      .created_utc = record::utc_now(),
      .command = {argv, argv + argc},
      .revision = std::string{revision},
      .on = together ? "local" : "emulated",
      .mpi = {.family = STRETTO_MPI_FAMILY,
              .library = text,
              .standard = std::to_string(major) + "." + std::to_string(minor)},
      .hosts = hosts,
      .locality = together ? "same-node" : "remote",
      .ranks = ranks,
      .cases = cases,
      .clock = {
          .name = "MPI_Wtime", .resolution_s = MPI_Wtick(), .offset_s = std::vector<double>(names.size())}};
}

}  // namespace stretto::bench
