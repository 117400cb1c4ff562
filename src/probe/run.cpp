// SPDX-License-Identifier: BSD-3-Clause
#include "probe/run.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stretto/clock.hpp>
#include <utility>

#include "probe/probes.hpp"
#include "probe/rates.hpp"

namespace stretto::probe {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

record::Fields effective_settings(const Settings& settings) {
  const measure::HarnessSettings& harness = settings.harness;
  return {{"probes", joined(settings.probes)},
          {"transports", joined(settings.transports)},
          {"max_noise", harness.max_noise},
          {"budget_s", harness.budget_s},
          {"min_rounds", std::int64_t{harness.min_rounds}},
          {"max_rounds", std::int64_t{harness.max_rounds}},
          {"warm_ups", std::int64_t{harness.warm_ups}},
          {"seed", static_cast<std::int64_t>(harness.seed)},
          {"check", std::int64_t{harness.check ? 1 : 0}}};
}

/// Only contention works in other ways than with registers.
std::span<const measure::WorkKind> kinds_of(const Settings& settings) {
  const bool all = std::ranges::find(settings.probes, "contention") != settings.probes.end();
  return std::span{measure::all_work_kinds}.first(all ? std::size(measure::all_work_kinds) : 1);
}

/// Creates the file at rank 0; all ranks learn whether that went well.
std::unique_ptr<record::SampleFile> create_file(measure::Team& team, const std::filesystem::path& output) {
  std::unique_ptr<record::SampleFile> file;
  std::optional<std::system_error> error;
  if (team.rank() == 0) {
    try {
      file = std::make_unique<record::SampleFile>(output);
    } catch (const std::system_error& caught) {
      error = caught;
    }
  }
  bool failed = error.has_value();
  team.share(failed);
  if (error) throw *error;
  if (failed) throw std::runtime_error("rank 0 could not create the samples file");
  return file;
}

/// What was asked and this transport cannot do.
std::vector<record::Skipped> skipped_by(const Settings& settings, const transport::Transport& transport) {
  std::vector<record::Skipped> rows;
  for (const transport::Progress progress : settings.progress) {
    if (transport.supports(progress)) continue;
    rows.push_back({.probe = "overlap",
                    .transport = std::string{transport.name()},
                    .reason = "has no progress '" + std::string{to_string(progress)} + "'"});
  }
  return rows;
}

}  // namespace

RunOutcome run_probes(const Settings& settings, measure::Team& team, measure::Worker& worker,
                      std::span<transport::Transport* const> transports, Surroundings surroundings,
                      const std::filesystem::path& output) {
  if (team.size() < 2) throw std::invalid_argument("probes need at least 2 ranks: give -n 2");
  WorkRates rates;
  std::vector<Bench> benches;
  for (transport::Transport* transport : transports) benches.push_back({team, worker, *transport, rates});
  if (!benches.empty()) benches.front().collectives = surroundings.collectives;
  Cases cases;
  for (const std::string& name : settings.probes) {
    const Probe* probe = find_probe(name);
    if (probe == nullptr) throw std::invalid_argument("unknown probe '" + name + "'");
    for (const Bench& bench : benches) {
      std::ranges::move(probe->cases(settings, bench), std::back_inserter(cases));
    }
  }
  if (cases.empty()) {
    throw std::invalid_argument(
        "nothing left to measure: no asked transport has the asked operations and progress");
  }

  const std::unique_ptr<record::SampleFile> file = create_file(team, output);
  const measure::ClockQuality clock = measure::calibrate([&team] { return team.now_s(); });
  if (file != nullptr) {
    record::Header& header = surroundings.header;
    header.clock.resolution_s = clock.resolution_s;
    header.clock.overhead_s = clock.overhead_s;
    header.ranks = team.size();
    header.cases = static_cast<int>(cases.size());
    header.settings = effective_settings(settings);
    file->append(header);
    for (std::string& row : surroundings.preamble) file->append_line(std::move(row));
    for (const transport::Transport* transport : transports) {
      for (const record::Skipped& row : skipped_by(settings, *transport)) file->append(row);
    }
  }
  measure::Timekeeper timekeeper(team, clock.overhead_s);
  measure::Harness harness(timekeeper, settings.harness, file.get());
  harness.record_noise_floor();
  rates = measure_rates(timekeeper, worker, kinds_of(settings), file.get());
  RunOutcome outcome{.cases = static_cast<std::int64_t>(cases.size())};
  outcome.wrong = harness.run(std::move(cases));
  if (file != nullptr) file->finish();
  return outcome;
}

}  // namespace stretto::probe
