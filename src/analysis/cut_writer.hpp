// SPDX-License-Identifier: BSD-3-Clause
// Writes the kept records of a rank as an ordinary trace with an interval that begins at the cut. What lacks
// its other side is no message and no collective operation there; its time remains that of a call.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/cut_ends.hpp"
#include "analysis/kept_records.hpp"
#include "replay/packed_trace.hpp"

namespace stretto::analysis {

/// How many records lack what is before the cut.
struct LeftOut {
  std::uint64_t messages = 0;
  std::uint64_t completions = 0;
  std::uint64_t collectives = 0;
  std::uint64_t epochs = 0;

  void add(const LeftOut& other);
};

/// The name of a call that lacks its other side. Of such a one only its time is known.
inline constexpr const char* cut_call = "MPI call across the cut";

class CutWriter {
 public:
  /// The arguments must outlive this object.
  CutWriter(KeptRecords& records, const CutPlan& plan, std::uint64_t cut_ns, replay::PackedTrace& out);

  /// Writes all that is kept. Throws TraceError.
  LeftOut write(const std::filesystem::path& file);

 private:
  /// A call with the records that belong to it.
  using Group = std::vector<KeptRecord>;

  void write_definitions(const std::filesystem::path& file);
  /// Groups of the partners that are left of epochs.
  void define_groups();
  void begin_run();
  void write(const Group& group);
  /// Whether only the time of the call is known, given what is left of the records that belong to it.
  [[nodiscard]] bool is_only_time(const Group& group, const std::vector<record::Record>& rest) const;
  void put(std::uint32_t thread, record::Record record);
  [[nodiscard]] const CallTraits& traits_of(const record::Record& record) const {
    return records_.traits()[record::high_field(record.begin_and_call)];
  }

  KeptRecords& records_;
  const CutPlan& plan_;
  std::uint64_t cut_ns_;
  replay::PackedTrace& out_;
  std::map<std::uint32_t, Group> groups_;  // by thread
  std::map<std::uint32_t, replay::CoreWait> first_waits_;
  std::map<std::uint64_t, std::uint64_t> groups_left_;  // by the record that opens an epoch, their numbers
  LeftOut left_out_;
};

}  // namespace stretto::analysis
