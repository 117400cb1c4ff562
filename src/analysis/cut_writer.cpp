// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/cut_writer.hpp"

#include <algorithm>

namespace stretto::analysis {

using record::Record;

namespace {

/// A call of which only the time is known.
Record only_time(std::uint64_t begin_ns, std::uint64_t end_ns, std::uint64_t site, std::uint16_t call) {
  Record record;
  record.begin_and_call = record::pack_field(begin_ns, call);
  record.duration_and_site = record::pack_field(end_ns - begin_ns, site);
  record.bytes_and_context = record::pack_field(0, record::no_context);
  record.peer = record::no_peer;
  return record;
}

}  // namespace

void LeftOut::add(const LeftOut& other) {
  messages += other.messages;
  completions += other.completions;
  collectives += other.collectives;
  epochs += other.epochs;
}

CutWriter::CutWriter(KeptRecords& records, const CutPlan& plan, std::uint64_t cut_ns,
                     replay::PackedTrace& out)
    : records_(records), plan_(plan), cut_ns_(cut_ns), out_(out) {}

LeftOut CutWriter::write(const std::filesystem::path& file) {
  write_definitions(file);
  define_groups();
  begin_run();
  records_.for_each([this](const KeptRecord& one) {
    Group& group = groups_[one.thread];
    if (traits_of(one.record).is_call() && !group.empty()) {
      write(group);
      group.clear();
    }
    group.push_back(one);
  });
  for (const auto& [thread, group] : groups_) {
    if (!group.empty()) write(group);
  }
  return left_out_;
}

/// Definitions come first, so that each precedes its use. A block of records repeats those that it needs.
void CutWriter::write_definitions(const std::filesystem::path& file) {
  replay::TraceBlocks blocks(file, replay::Limited::is_read);
  std::set<std::pair<std::uint32_t, std::int32_t>> written;
  std::map<std::uint32_t, replay::CoreWait> last_waits;
  replay::TracePiece piece;
  while (blocks.next(piece, replay::max_piece_records)) {
    const replay::CoreWait wait{blocks.block().waited_ms, blocks.block().of_ms};
    first_waits_.try_emplace(piece.thread, wait);
    last_waits[piece.thread] = wait;
    for (std::size_t i = 0; i < piece.records.size(); ++i) {
      const Record& one = piece.records[i];
      if (record::high_field(one.begin_and_call) != record::definition) continue;
      if (written.emplace(one.request, one.peer).second) out_.define(one, &one + 1);
      i += replay::records_of_definition(one) - 1;
    }
  }
  for (const auto& [thread, last] : last_waits) {
    const replay::CoreWait& first = first_waits_[thread];
    if (thread == record::definitions_thread || last.of_ms < first.of_ms) continue;
    out_.wait(thread, {last.waited_ms - std::min(first.waited_ms, last.waited_ms), last.of_ms - first.of_ms});
  }
}

void CutWriter::define_groups() {
  std::uint64_t last = 0;
  for (const auto& [number, runs] : records_.reader().definitions().groups) last = std::max(last, number);
  for (const auto& [opening, partners] : plan_.opens) {
    if (partners.empty()) continue;
    std::vector<record::RankRun> runs;
    for (const std::int32_t partner : partners) runs.push_back({.first = partner, .stride = 1, .count = 1});
    Record group = record::definition_of(record::group, static_cast<std::int32_t>(++last));
    group.bytes_and_context = record::pack_field(runs.size() * sizeof runs[0], 0);
    out_.define(group, runs.data());
    groups_left_[opening] = last;
  }
}

/// The run begins at the cut, or where the first thread leaves the call that it was in at that time.
void CutWriter::begin_run() {
  const auto& calls = records_.reader().calls();
  const auto init = std::ranges::find_if(calls, [](const auto& one) { return one.name == "MPI_Init"; });
  const auto number = static_cast<std::uint16_t>(init - calls.begin() + record::first_call);
  const auto& across = records_.ends_across();
  const auto first = across.find(0);
  out_.append(0, only_time(cut_ns_, first == across.end() ? cut_ns_ : first->second, 0, number));
  out_.flush(0);
  const auto other = static_cast<std::uint16_t>(calls.size() + record::first_call);
  for (const auto& [thread, end_ns] : across) {
    if (thread != 0) out_.append(thread, only_time(cut_ns_, end_ns, 0, other));
  }
}

void CutWriter::write(const Group& group) {
  const KeptRecord& first = group.front();
  Record call = first.record;
  std::vector<Record> rest;
  std::uint32_t completions = 0;
  for (auto one = group.begin() + 1; one != group.end(); ++one) {
    const bool completes = traits_of(one->record).role == Role::completion;
    if (plan_.crosses.contains(one->number)) {
      ++left_out_.completions;
      continue;
    }
    if (completes) ++completions;
    rest.push_back(one->record);
    if (!plan_.alone.contains(one->number)) continue;
    ++left_out_.messages;
    rest.back().peer = record::no_peer;
    rest.back().extra = 0;
  }
  const bool is_alone = plan_.alone.contains(first.number) || plan_.crosses.contains(first.number);
  if (is_alone) ++(records_.is_joint(call) ? left_out_.collectives : left_out_.messages);
  if (is_only_time(group, rest)) {
    const auto number = static_cast<std::uint16_t>(records_.reader().calls().size() + record::first_call);
    put(first.thread, only_time(record::low_field(call.begin_and_call), record::end_ns(call),
                                record::high_field(call.duration_and_site), number));
    return;
  }
  if (is_alone) call.peer = record::no_peer;
  if (rest.size() + 1 < group.size()) call.count = completions;
  if (plan_.opens.contains(first.number)) {
    ++left_out_.epochs;
    const auto group = groups_left_.find(first.number);
    call.extra = group == groups_left_.end() ? 0 : group->second;  // 0: as where its group is not known
  }
  put(first.thread, call);
  for (const Record& one : rest) put(first.thread, one);
}

bool CutWriter::is_only_time(const Group& group, const std::vector<Record>& rest) const {
  const KeptRecord& first = group.front();
  const CallTraits& traits = traits_of(first.record);
  const bool has_half = std::ranges::any_of(rest, [this](const Record& one) {
    return traits_of(one).role == Role::receive_half && one.peer != record::no_peer;
  });
  if (plan_.crosses.contains(first.number)) return true;
  if (plan_.alone.contains(first.number))
    return records_.is_joint(first.record) || (traits.spends == Spends::waiting && !has_half);
  return group.size() > 1 && rest.empty();  // it completes only what was started before the cut
}

void CutWriter::put(std::uint32_t thread, Record record) {
  const std::uint32_t before = plan_.before_first_request;
  record.request = record.request > before ? record.request - before : 0;
  out_.append(thread, record);
}

}  // namespace stretto::analysis
