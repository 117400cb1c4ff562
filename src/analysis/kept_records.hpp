// SPDX-License-Identifier: BSD-3-Clause
// The records of a rank from a time on: a call that begins later, with the records that belong to it. The
// file may be one of which only the newest blocks were kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "analysis/call_traits.hpp"
#include "replay/call_plan.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

/// A record that is kept, with its number among these.
struct KeptRecord {
  std::uint64_t number = 0;
  std::uint32_t thread = 0;
  record::Record record;
};

class KeptRecords {
 public:
  /// Reads all definitions. Throws TraceError.
  KeptRecords(const std::filesystem::path& file, std::uint64_t cut_ns);

  [[nodiscard]] const replay::TraceReader& reader() const { return reader_; }
  [[nodiscard]] const std::vector<CallTraits>& traits() const { return traits_; }
  /// The role of a call in a schedule; `record` is that of a call.
  [[nodiscard]] const replay::CallPlan& plan(const record::Record& record) const {
    return plans_[record::high_field(record.begin_and_call) - record::first_call];
  }
  /// Whether the ranks of a communicator or window make this call together; `record` is that of a call.
  [[nodiscard]] bool is_joint(const record::Record& record) const;
  /// Passes them on in the order in which calls begin. Throws TraceError.
  void for_each(const std::function<void(const KeptRecord&)>& use);
  /// By thread, when the call ended that it was in at the cut. Known after `for_each`.
  [[nodiscard]] const std::map<std::uint32_t, std::uint64_t>& ends_across() const { return across_; }

 private:
  replay::TraceReader reader_;
  std::uint64_t cut_ns_;
  std::vector<CallTraits> traits_;
  std::vector<replay::CallPlan> plans_;
  std::map<std::uint32_t, std::uint64_t> across_;
};

}  // namespace stretto::analysis
