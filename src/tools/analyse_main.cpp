// SPDX-License-Identifier: BSD-3-Clause
// stretto-analyse: reads a request from standard input, analyses the traces that it names, and prints one
// JSON document (docs/formats.md). No MPI: where a launcher has started several, each becomes
// stretto-analyse-mpi, and they divide the work. Exit status as everywhere.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "analysis/cut.hpp"
#include "analysis/listing.hpp"
#include "record/limited_size.hpp"
#include "replay/plain_trace.hpp"
#include "tools/analyse_program.hpp"
#include "tools/program.hpp"

namespace {

using namespace stretto;

/// Whether a launcher of MPI, or Slurm, says that it has started several processes.
bool has_team() {
  constexpr const char* names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS",
                                   "SLURM_STEP_NUM_TASKS"};
  return std::ranges::any_of(names, [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && std::atoi(value) > 1;
  });
}

/// Becomes the program of the same directory that uses MPI. Throws where there is none.
void become_team(char** argv) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) ::execv((self.parent_path() / "stretto-analyse-mpi").c_str(), argv);
  throw std::runtime_error(
      "was started several times, and stretto-analyse-mpi, which divides the work, is not next to it: build "
      "stretto for this MPI, or start it once");
}

/// Whether the command line can be of a team. Otherwise each of its processes would refuse the same line.
bool is_of_team(int argc, char** argv) {
  constexpr std::array<std::string_view, 4> alone = {"--plain", "--list", "--cut", "--min-limit"};
  return has_team() && std::none_of(argv + 1, argv + argc, [&](const char* word) {
           return std::ranges::any_of(
               alone, [&](std::string_view option) { return std::string_view(word).starts_with(option); });
         });
}

int run(int argc, char** argv) {
  if (is_of_team(argc, argv)) become_team(argv);
  const tools::AnalyseLine line(argc, argv);
  if (!line.help.empty()) {
    std::fputs(line.help.c_str(), stdout);
    return 0;
  }
  if (!line.plain.empty()) {
    replay::write_plain_trace(line.plain, std::cout);
    return 0;
  }
  if (!line.list.empty()) {
    analysis::write_listing(line.list, std::cout);
    return 0;
  }
  if (line.min_limit_of > 0) {
    const std::uint64_t bytes = record::min_limit(line.min_limit_of);
    std::puts(nlohmann::json{{"min_limit_bytes", bytes}}.dump().c_str());
    return 0;
  }
  if (!line.cut.empty()) {
    std::puts(analysis::cut_trace(line.cut).c_str());
    return 0;
  }
  analysis::Alone alone;
  std::puts(tools::analysis_document(tools::request_of(line, alone), alone).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tools::run_program(
      "stretto-analyse", [&] { return run(argc, argv); },
      "the trace needs more memory than there is: name fewer traces");
}
