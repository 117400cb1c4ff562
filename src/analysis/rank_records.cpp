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

}  // namespace

RankRecords::RankRecords(const std::filesystem::path& file, std::size_t most, bool keeps_open,
                         const SharedTraits& shared)
    : reader_(file), max_(most), keeps_open_(keeps_open) {
  traits_ = shared && same_calls(reader_.calls(), *shared)
                ? shared
                : std::make_shared<const std::vector<CallTraits>>(traits_of(reader_.calls()));
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
}

}  // namespace stretto::analysis
