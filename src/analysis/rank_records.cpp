// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rank_records.hpp"

#include <algorithm>

namespace stretto::analysis {
namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();

bool same_calls(const std::vector<replay::TracedCall>& calls, const std::vector<CallTraits>& traits) {
  return calls.size() + record::first_call == traits.size() &&
         std::equal(calls.begin(), calls.end(), traits.begin() + record::first_call,
                    [](const replay::TracedCall& call, const CallTraits& one) {
                      return call.name == one.name && call.kind == one.kind;
                    });
}

/// The earliest begin among the blocks behind each; empty where all are of one thread, which is in order.
std::vector<double> later_blocks_s(const std::vector<replay::TraceBlock>& blocks) {
  const bool several = std::any_of(blocks.begin(), blocks.end(), [&](const replay::TraceBlock& one) {
    return one.thread != blocks.front().thread;
  });
  std::vector<double> later_s(several ? blocks.size() : 0, never_s);
  for (std::size_t i = later_s.size(); i-- > 1;) {
    later_s[i - 1] = std::min(later_s[i], static_cast<double>(blocks[i].first_ns) * ns);
  }
  return later_s;
}

}  // namespace

RankRecords::RankRecords(const std::filesystem::path& file, std::size_t most, bool keeps_open,
                         const SharedTraits& shared)
    : reader_(file), max_(most), keeps_open_(keeps_open) {
  traits_ = shared && same_calls(reader_.calls(), *shared)
                ? shared
                : std::make_shared<const std::vector<CallTraits>>(traits_of(reader_.calls()));
  blocks_s_ = later_blocks_s(reader_.blocks());
  read();
}

void RankRecords::advance() {
  if (++at_ == piece_.records.size()) {
    read();
  } else {
    look();
  }
}

void RankRecords::read() {
  at_ = 0;
  at_end_ = !reader_.next(piece_, max_);
  if (!keeps_open_) reader_.close();
  if (at_end_) piece_.records = {};
  look();
}

/// Records that are no calls belong to the call before them.
void RankRecords::look() {
  if (at_end_) {
    next_s_ = never_s;
    return;
  }
  if (!(*traits_)[record::high_field(next().begin_and_call)].is_call()) return;
  next_s_ = static_cast<double>(record::low_field(next().begin_and_call)) * ns;
  if (!blocks_s_.empty()) next_s_ = std::min(next_s_, blocks_s_[reader_.block_number()]);
}

}  // namespace stretto::analysis
