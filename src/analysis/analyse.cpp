// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/analyse.hpp"

#include <mutex>
#include <optional>
#include <utility>

#include "analysis/gather.hpp"
#include "analysis/rank_potential.hpp"
#include "replay/for_all.hpp"

namespace stretto::analysis {
namespace {

/// Records of a rank that a processor's cache holds with what they refer to.
constexpr std::size_t cached_records = std::size_t{1} << 12U;

/// Adds the ranks' sums in the order of the ranks, so that rounding does not depend on the threads.
template <typename Sums>
class InOrder {
 public:
  explicit InOrder(std::size_t ranks) : waiting_(ranks) {}

  void add(std::size_t number, Sums sums) {
    const std::lock_guard lock(mutex_);
    waiting_[number] = std::move(sums);
    for (; next_ < waiting_.size() && waiting_[next_]; ++next_) {
      total.add(*waiting_[next_]);
      waiting_[next_].reset();
    }
  }

  Sums total;

 private:
  std::mutex mutex_;
  std::vector<std::optional<Sums>> waiting_;
  std::size_t next_ = 0;
};

/// Whether a rank has records about the data of messages. Stores all definitions.
bool is_watched(replay::TraceReader& reader, const std::vector<CallTraits>& traits) {
  bool watched = false;
  reader.for_each([&](std::uint32_t, const record::Record& record) {
    watched = watched || traits[record::high_field(record.begin_and_call)].role == Role::data;
  });
  return watched;
}

/// The sums of a rank; none where it has records about the data of messages, and `watched` says otherwise.
std::optional<PotentialAndProgram> sums_with(replay::TraceReader& reader,
                                             const std::vector<CallTraits>& traits,
                                             const AnalysisOptions& options, bool watched) {
  PotentialAndProgram sums;
  RankPotential potential(reader, options.cost, {.watched = watched, .by_data = options.by_data},
                          sums.potential);
  replay::TracePiece piece;
  reader.rewind();
  while (reader.next(piece, cached_records)) {
    for (const record::Record& record : piece.records) {
      const Event event(record, traits);
      if (event.traits->role == Role::data && !watched) return {};
      ++sums.program.records;
      potential.take(piece.thread, event);
    }
  }
  potential.finish();
  sums.program.add(reader.definitions());
  return sums;
}

/// Few traces have records about data, so that one without is read once. Of several threads, one may use what
/// another defines later.
PotentialAndProgram sums_of(const std::filesystem::path& file, const AnalysisOptions& options) {
  replay::TraceReader reader(file);
  const std::vector<CallTraits> traits = traits_of(reader.calls());
  const bool watched = reader.has_several_threads() && is_watched(reader, traits);
  if (std::optional<PotentialAndProgram> sums = sums_with(reader, traits, options, watched))
    return std::move(*sums);
  return sums_with(reader, traits, options, true).value();
}

/// The sum of what `of` returns for each file of this process. Several threads read.
template <typename Sums, typename Of>
Sums added(const TraceFiles& files, const Share& share, unsigned threads, const Of& of) {
  std::vector<std::size_t> mine;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    if (share.division.owns(rank)) mine.push_back(rank);
  }
  InOrder<Sums> sums(mine.size());
  replay::for_all(mine.size(), threads,
                  [&] { return [&](std::size_t number) { sums.add(number, of(files[mine[number]])); }; });
  return std::move(sums.total);
}

}  // namespace

PotentialAndProgram potential_of(const TraceFiles& files, const Share& share,
                                 const AnalysisOptions& options) {
  const auto of_file = [&](const std::filesystem::path& file) { return sums_of(file, options); };
  return gathered(share.team, added<PotentialAndProgram>(files, share, options.threads, of_file));
}

Program program_of(const TraceFiles& files, const Share& share, unsigned threads) {
  const auto of_file = [](const std::filesystem::path& file) {
    replay::TraceReader reader(file);
    Program program;
    reader.for_each([&](std::uint32_t, const record::Record&) { ++program.records; });
    program.add(reader.definitions());
    return program;
  };
  return gathered(share.team, added<Program>(files, share, threads, of_file));
}

void PotentialAndProgram::add(const PotentialAndProgram& other) {
  potential.add(other.potential);
  program.add(other.program);
}

TimeUse time_use(const TraceFiles& files, const Share& share, const Cost& cost,
                 const std::vector<bool>& crowded) {
  TimedCalls calls(files, share);
  BlockedCalls blocked(calls, files.size(), cost, crowded);
  calls.pass_to(blocked);
  return gathered(share.team, blocked.result());
}

std::vector<ShownTime> shown_network(const TraceFiles& files, const Share& share) {
  TimedCalls calls(files, share);
  ShownNetwork network(files.size(), share.division.owned());
  calls.pass_to(network);
  return gathered(share.team, network.result()).network();
}

}  // namespace stretto::analysis
