// SPDX-License-Identifier: BSD-3-Clause
// The settings that the runtime reads from a profile, and where it finds the profile: the same file and key
// as in Python.
#include "profile/runtime_settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "profile/installed.hpp"
#include "refusal.hpp"
#include "temporary_path.hpp"

namespace stretto::profile {
namespace {

RuntimeSettings settings_of(const std::string& text) {
  const stretto::testing::TemporaryPath path;
  std::ofstream(path.get()) << text;
  return read_runtime_settings(path.get());
}

std::string refusal(const std::string& text) {
  return testing::refusal_of<std::runtime_error>([&] { return settings_of(text); });
}

std::string profile(const std::string& runtime) {
  return R"({"schema":"stretto.profile/1.3","loggp":[],"runtime":)" + runtime + "}";
}

TEST(RuntimeSettings, ReadsMembersAndLeavesTheOthersUnset) {
  const RuntimeSettings all =
      settings_of(profile(R"({"pace_s":5e-4,"segment_bytes":32768,"outstanding":128,"kappa":1.04})"));
  EXPECT_EQ(all.poll_interval_s, 5e-4);
  EXPECT_EQ(all.segment_bytes, 32768U);
  EXPECT_EQ(all.outstanding, 128);
  const RuntimeSettings some = settings_of(profile(R"({"pace_s":0.002})"));
  EXPECT_EQ(some.poll_interval_s, 0.002);
  EXPECT_EQ(some.segment_bytes, 0U);
  EXPECT_EQ(settings_of(R"({"schema":"stretto.profile/1.0","loggp":[]})").poll_interval_s, 0);
  EXPECT_EQ(
      read_runtime_settings(std::filesystem::path{STRETTO_GOLDEN} / "profile-by-hand.json").poll_interval_s,
      5e-4);
}

TEST(RuntimeSettings, RefusesInvalidValuesNamingFileAndMember) {
  EXPECT_TRUE(testing::has(refusal(profile(R"({"pace_s":0})")), "runtime.pace_s is 0"));
  EXPECT_TRUE(testing::has(refusal(profile(R"({"pace_s":"fast"})")), "runtime.pace_s is \"fast\""));
  EXPECT_TRUE(testing::has(refusal(profile(R"({"segment_bytes":-1})")), "runtime.segment_bytes"));
  EXPECT_TRUE(testing::has(refusal(profile(R"({"outstanding":1e9})")), "runtime.outstanding"));
  EXPECT_TRUE(testing::has(refusal(profile("[]")), "runtime is no object"));
  EXPECT_TRUE(testing::has(refusal(R"({"schema":"stretto.profile/2.0"})"), "schema"));
  EXPECT_TRUE(testing::has(refusal(R"({"schema":"stretto.samples/1.0"})"), "schema"));
  EXPECT_TRUE(testing::has(refusal("{\"schema\":"), "no JSON object"));
  EXPECT_THROW((void)read_runtime_settings("/nonexistent/profile.json"), std::runtime_error);
}

TEST(InstalledProfile, HasAKeyOfItsHostsInAnyOrder) {
  EXPECT_EQ(key("MPICH Version: 5.0.2", {"node2", "node1", "node2"}, ""),
            key("MPICH Version: 5.0.2", {"node1", "node2"}, ""));
  EXPECT_EQ(key("MPICH Version: 5.0.2", {"node2", "node1", "node2"}, ""), "b862153eced50774");
  EXPECT_EQ(library_line("Open MPI v5.0.8,  package:\tx\nmore"), "Open MPI v5.0.8, package: x");
  EXPECT_EQ(library_line({"MPI 1\0", 6}), "MPI 1");
}

TEST(InstalledProfile, LiesInTheDirectoryOfTheXdgSpecification) {
  ::setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(installed_path("0123"), "/data/stretto/profiles/0123.json");
  ::setenv("XDG_DATA_HOME", "relative", 1);
  ::setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(installed_path("0123"), "/home/somebody/.local/share/stretto/profiles/0123.json");
  ::unsetenv("HOME");
  EXPECT_EQ(installed_path("0123"), std::nullopt);
}

TEST(InstalledProfile, OfAClusterIsFoundFromAnyOfItsHosts) {
  const std::string library = "MPICH Version: 5.0.2";
  EXPECT_EQ(cluster_key(library, {.name = "hal", .partition = "cpu"}, 4, ""), "bad0b09df99829bc");
  EXPECT_EQ(ranks_per_node({"a", "b", "a", "a", "b"}), 3);

  const stretto::testing::TemporaryPath data;
  std::filesystem::create_directories(data.get() / "stretto" / "profiles");
  ::setenv("XDG_DATA_HOME", data.get().c_str(), 1);
  ::setenv("STRETTO_CLUSTER", "hal/cpu", 1);
  const auto install = [&](const std::string& key) { std::ofstream(*installed_path(key)) << "{}"; };
  EXPECT_EQ(find_installed(library, {"a", "b"}), std::nullopt);
  install(key(library, {"a", "b"}, ""));
  EXPECT_EQ(find_installed(library, {"a", "b"}), installed_path(key(library, {"a", "b"}, "")));
  install(cluster_key(library, cluster_of_job(), 0, ""));
  install(cluster_key(library, cluster_of_job(), 2, ""));
  EXPECT_EQ(find_installed(library, {"c", "d"}),
            installed_path(cluster_key(library, cluster_of_job(), 0, "")));
  EXPECT_EQ(find_installed(library, {"c", "c"}),
            installed_path(cluster_key(library, cluster_of_job(), 2, "")));
  EXPECT_EQ(find_installed("Open MPI", {"c", "d"}), std::nullopt);
  ::setenv("STRETTO_CLUSTER", "hal/gpu", 1);
  EXPECT_EQ(find_installed(library, {"c", "d"}), std::nullopt) << "another type of node";
  ::unsetenv("STRETTO_CLUSTER");
  ::unsetenv("SLURM_CLUSTER_NAME");
  EXPECT_EQ(find_installed(library, {"c", "d"}), std::nullopt);
  ::unsetenv("XDG_DATA_HOME");
  std::filesystem::remove_all(data.get());
}

TEST(InstalledProfile, TakesTheClusterOfTheVariableOrOfSlurm) {
  ::setenv("SLURM_CLUSTER_NAME", "slurms", 1);
  ::setenv("SLURM_JOB_PARTITION", "short", 1);
  EXPECT_EQ(cluster_of_job().name, "slurms");
  EXPECT_EQ(cluster_of_job().partition, "short");
  ::setenv("STRETTO_CLUSTER", "mine", 1);
  EXPECT_EQ(cluster_of_job().name, "mine");
  EXPECT_EQ(cluster_of_job().partition, "short");
  ::setenv("STRETTO_CLUSTER", "mine/big/nodes", 1);
  EXPECT_EQ(cluster_of_job().partition, "big/nodes");
  for (const char* name : {"STRETTO_CLUSTER", "SLURM_CLUSTER_NAME", "SLURM_JOB_PARTITION"}) ::unsetenv(name);
  EXPECT_EQ(cluster_of_job().name, "");
}

}  // namespace
}  // namespace stretto::profile
