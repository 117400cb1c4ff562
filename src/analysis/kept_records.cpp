// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/kept_records.hpp"

namespace stretto::analysis {

KeptRecords::KeptRecords(const std::filesystem::path& file, std::uint64_t cut_ns)
    : reader_(file, replay::Limited::is_read), cut_ns_(cut_ns), traits_(traits_of(reader_.calls())) {
  for (const replay::TracedCall& call : reader_.calls()) plans_.push_back(replay::plan_of(call));
  reader_.for_each([](std::uint32_t, const record::Record&) {});
}

bool KeptRecords::is_joint(const record::Record& record) const {
  using replay::CallKind;
  const replay::CallPlan& role = plan(record);
  return traits_[record::high_field(record.begin_and_call)].is_collective ||
         role.kind == CallKind::collective || role.kind == CallKind::synchronising ||
         (role.kind == CallKind::one_sided && role.one_sided->joins);
}

void KeptRecords::for_each(const std::function<void(const KeptRecord&)>& use) {
  std::map<std::uint32_t, bool> keeps;  // by thread, whether its last call is kept
  replay::TracePiece piece;
  KeptRecord one;
  reader_.rewind();
  while (reader_.next(piece, replay::max_piece_records)) {
    bool& keeps_call = keeps[piece.thread];
    one.thread = piece.thread;
    for (const record::Record& record : piece.records) {
      if (traits_[record::high_field(record.begin_and_call)].is_call()) {
        const std::uint64_t begin_ns = record::low_field(record.begin_and_call);
        const std::uint64_t end_ns = record::end_ns(record);
        keeps_call = begin_ns >= cut_ns_;
        if (!keeps_call && end_ns > cut_ns_) across_[piece.thread] = end_ns;
      }
      if (!keeps_call) continue;
      one.record = record;
      use(one);
      ++one.number;
    }
  }
}

}  // namespace stretto::analysis
