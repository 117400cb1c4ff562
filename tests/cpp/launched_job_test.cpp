// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a host as a launcher's variables have them.
#include "progress/launched_job.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace stretto::progress {
namespace {

/// The environment has these variables of launchers and no others, and then its own again.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables) {
    for (const char* name : names) {
      const char* const value = std::getenv(name);
      before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
      unsetenv(name);
    }
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : before_) {
      unsetenv(name.c_str());
      if (value) setenv(name.c_str(), value->c_str(), 1);
    }
  }

 private:
  static constexpr std::array names = {
      "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_SIZE",
      "MPI_LOCALNRANKS",      "SLURM_STEP_NUM_NODES",       "SLURM_STEP_NUM_TASKS"};
  std::map<std::string, std::optional<std::string>> before_;
};

int ranks_with(const std::map<std::string, std::string>& variables, LaunchedBy launcher = LaunchedBy::hydra) {
  const Environment environment(variables);
  return ranks_of_only_host(launcher);
}

TEST(LaunchedJob, HasTheRanksOfItsOnlyHost) {
  EXPECT_EQ(ranks_with({}), 0);
  EXPECT_EQ(
      ranks_with({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}, LaunchedBy::open_mpi),
      4);
  EXPECT_EQ(
      ranks_with({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}, LaunchedBy::open_mpi),
      0);
  EXPECT_EQ(ranks_with({{"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "3"}}), 3);
  EXPECT_EQ(ranks_with({{"PMI_SIZE", "3"}}), 0);
  EXPECT_EQ(ranks_with({{"PMI_SIZE", "many"}, {"MPI_LOCALNRANKS", ""}}), 0);
  EXPECT_EQ(ranks_with({{"SLURM_STEP_NUM_NODES", "1"}, {"SLURM_STEP_NUM_TASKS", "8"}}), 8);
  EXPECT_EQ(ranks_with({{"SLURM_STEP_NUM_NODES", "2"}, {"SLURM_STEP_NUM_TASKS", "8"}}), 0);
}

/// Of Hydra in a rank of Open MPI, in a step of one task.
TEST(LaunchedJob, HasTheVariablesOfItsOwnLauncher) {
  const std::map<std::string, std::string> nested = {{"SLURM_STEP_NUM_NODES", "1"},
                                                     {"SLURM_STEP_NUM_TASKS", "1"},
                                                     {"OMPI_COMM_WORLD_SIZE", "4"},
                                                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                                                     {"PMI_SIZE", "4"},
                                                     {"MPI_LOCALNRANKS", "2"}};
  EXPECT_EQ(ranks_with(nested), 0);
  EXPECT_EQ(ranks_with(nested, LaunchedBy::open_mpi), 4);
}

TEST(LaunchedJob, HasCoresToSpareOnlyWithTwoForEachRank) {
  const auto cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_FALSE(may_have_spare_cores(cores));
  EXPECT_FALSE(may_have_spare_cores(cores / 2 + 1));
}

}  // namespace
}  // namespace stretto::progress
