// SPDX-License-Identifier: BSD-3-Clause
#include "probe/run.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "measure/clock.hpp"
#include "probe/load_watch.hpp"
#include "probe/nonblocking_case.hpp"
#include "probe/probes.hpp"
#include "probe/rates.hpp"

namespace stretto::probe {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// `more` holds settings that only the calling program knows.
record::Fields effective_settings(const Settings& settings, record::Fields more) {
  const measure::HarnessSettings& harness = settings.harness;
  record::Fields fields{{"probes", joined(settings.probes)},
                        {"transports", joined(settings.transports)},
                        {"max_noise", harness.max_noise},
                        {"max_error", harness.max_error},
                        {"visits", std::int64_t{harness.visits}},
                        {"budget_s", harness.budget_s},
                        {"min_rounds", std::int64_t{harness.min_rounds}},
                        {"max_rounds", std::int64_t{harness.max_rounds}},
                        {"warm_ups", std::int64_t{harness.warm_ups}},
                        {"seed", static_cast<std::int64_t>(harness.seed)},
                        {"check", std::int64_t{harness.check ? 1 : 0}}};
  if (settings.gap_queue_s > 0) fields.emplace_back("gap_queue_s", settings.gap_queue_s);
  if (!settings.schedules.sweep.empty()) fields.emplace_back("sweep", settings.schedules.sweep);
  std::ranges::move(more, std::back_inserter(fields));
  return fields;
}

/// The kinds of computation to time: only contention uses others than `registers`.
std::span<const measure::WorkKind> kinds_of(const Settings& settings) {
  const bool all = holds(settings.probes, "contention");
  return std::span{measure::all_work_kinds}.first(all ? std::size(measure::all_work_kinds) : 1);
}

/// Creates the file at rank 0; all ranks learn whether it succeeded.
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

/// The requests of a part that no transport of the given name supports. Names without a transport are not
/// here: the program says why it has none.
std::vector<record::Skipped> skipped_by(const Settings& settings,
                                        std::span<exchange::Channel* const> transports) {
  std::vector<record::Skipped> rows;
  for (const std::string& name : settings.transports) {
    const bool exists = std::ranges::any_of(transports, [&](const auto* one) { return one->name() == name; });
    if (!exists) continue;
    for (const exchange::ProgressMode progress : settings.progress) {
      const bool can = std::ranges::any_of(transports, [&](const exchange::Channel* one) {
        return one->name() == name && one->supports(progress);
      });
      if (can) continue;
      rows.push_back({.probe = "overlap",
                      .transport = name,
                      .reason = "has no progress '" + std::string{to_string(progress)} + "'"});
    }
  }
  return rows;
}

/// One group for each transport that needs an exclusive run, and one for all others.
std::vector<measure::CaseGroup> plan(const Settings& settings, std::span<const ProbeContext> contexts) {
  std::vector<measure::CaseGroup> groups(1);
  std::vector<std::size_t> place;  // group of each context
  for (const ProbeContext& context : contexts) {
    exchange::Channel& transport = context.transport;
    place.push_back(transport.needs_exclusive_run() ? groups.size() : 0);
    if (!transport.needs_exclusive_run()) continue;
    groups.push_back(
        {.open = [&transport] { transport.open(); }, .close = [&transport] { transport.close(); }});
  }
  for (const Settings& part : settings.all_parts()) {
    for (const std::string& name : part.probes) {
      const Probe* probe = find_probe(name);
      if (probe == nullptr) throw std::invalid_argument("unknown probe '" + name + "'");
      for (std::size_t i = 0; i < contexts.size(); ++i) {
        const std::string transport(contexts[i].transport.name());
        if (!settings.parts.empty() && !holds(part.transports, transport)) continue;
        if (!uses(*probe, transport, !part.own_transports)) continue;
        std::ranges::move(probe->cases(part, contexts[i]), std::back_inserter(groups[place[i]].cases));
      }
    }
  }
  return groups;
}

}  // namespace

RunOutcome run_probes(const Settings& settings, measure::Team& team, measure::Worker& worker,
                      std::span<exchange::Channel* const> transports, RunEnvironment environment,
                      const std::filesystem::path& output) {
  const auto needs_another = [](const std::string& name) { return name != "ft" && name != "spmv"; };
  if (team.size() < 2 && std::ranges::any_of(settings.probes, needs_another)) {
    throw std::invalid_argument("probes need at least 2 ranks: give -n 2 (1 will do for ft and spmv)");
  }
  WorkRates rates;
  std::vector<ProbeContext> contexts;
  for (exchange::Channel* transport : transports) contexts.push_back({team, worker, *transport, rates});
  if (!contexts.empty()) {
    contexts.front().collectives = environment.collectives;
    contexts.front().nonblocking = environment.nonblocking;
  }
  std::vector<measure::CaseGroup> groups = plan(settings, contexts);
  std::size_t cases = 0;
  for (const measure::CaseGroup& group : groups) cases += group.cases.size();
  std::vector<record::Skipped> skipped = environment.skipped;
  std::ranges::move(skipped_nonblocking(settings, environment.nonblocking, team.size()),
                    std::back_inserter(skipped));
  if (cases == 0) {
    throw std::invalid_argument("nothing left to measure: " +
                                (skipped.empty()
                                     ? "no requested transport has the requested operations and progress"
                                     : skipped.front().probe + ": " + skipped.front().reason));
  }

  const std::unique_ptr<record::SampleFile> file = create_file(team, output);
  const measure::ClockQuality clock = measure::calibrate([&team] { return team.now_s(); });
  if (file != nullptr) {
    record::Header& header = environment.header;
    header.clock.resolution_s = clock.resolution_s;
    header.clock.overhead_s = clock.overhead_s;
    header.ranks = team.size();
    header.cases = static_cast<int>(cases);
    header.settings = effective_settings(settings, std::move(header.settings));
    file->append(header);
    for (std::string& row : environment.preamble) file->append_line(std::move(row));
    for (const Settings& part : settings.all_parts()) {
      if (!settings.parts.empty() && !holds(part.probes, "overlap")) continue;
      for (const record::Skipped& row : skipped_by(part, transports)) file->append(row);
    }
    for (const record::Skipped& row : skipped) file->append(row);
  }
  LoadWatch load(team, environment.header.hosts, file.get());
  load.record_before();
  measure::Timekeeper timekeeper(team, clock.overhead_s);
  measure::Harness harness(timekeeper, settings.harness, file.get());
  harness.record_noise_floor();
  rates = measure_rates(timekeeper, worker, kinds_of(settings), file.get());
  RunOutcome outcome{.cases = static_cast<std::int64_t>(cases)};
  outcome.wrong = harness.run(std::move(groups));
  load.record_during();
  if (file != nullptr) file->finish();
  return outcome;
}

}  // namespace stretto::probe
