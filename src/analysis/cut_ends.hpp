// SPDX-License-Identifier: BSD-3-Clause
// Walks through the kept records of a rank, and says which of them are ends of messages, join collective
// operations or open epochs. First these are counted, of all ranks; then each rank's plan says which of its
// records lack their other side.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/cut_counts.hpp"
#include "analysis/event.hpp"
#include "analysis/kept_records.hpp"
#include "analysis/rank_messages.hpp"

namespace stretto::analysis {

/// Why the messages of a rank cannot be matched from the end of the run.
class CutError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The numbers of kept records that lack their other side.
struct CutPlan {
  std::set<std::uint64_t> alone;    ///< messages, and collective operations
  std::set<std::uint64_t> crosses;  ///< completions, and receives, of what was started before the cut
  /// Openings of epochs, with the partners that open them after the cut, too.
  std::map<std::uint64_t, std::vector<std::int32_t>> opens;
  std::uint32_t before_first_request = 0;  ///< one less than the smallest number of a request that is started
};

class CutEnds {
 public:
  /// The arguments must outlive this object.
  explicit CutEnds(KeptRecords& records) : records_(records), messages_(records.reader(), table_) {}

  /// Adds the ends to the counts of all ranks. Throws TraceError, and CutError.
  void count(CutCounts& counts);
  [[nodiscard]] CutPlan plan(const CutCounts& counts);

 private:
  /// An operation in progress.
  struct Open {
    std::uint64_t number = 0;
    bool receives = false;
    bool sends = false;
    bool is_alone = false;
  };
  /// A completion that was read before the start of its operation, which another thread may have made.
  struct Early {
    std::uint64_t number = 0;
    Event event;
    Event call;
  };

  void walk();
  void take(const KeptRecord& one);
  void begin(const KeptRecord& one, const Event& event, const Event& call);
  void complete(std::uint64_t number, const Event& event, const Event& call);
  void take_ends(const Event& event, const Event& call, std::uint64_t number, Open* open);
  bool joins(const KeptRecord& one, const Event& event);
  void opens_epoch(const KeptRecord& one, const Event& event);
  [[nodiscard]] std::optional<Sequence> sequence_of(const KeptRecord& one, const Event& event) const;
  void take_time(const MessageEnd& end, const Event& call);
  [[nodiscard]] LastTimes times_of(const Channel& channel) const;
  [[nodiscard]] std::uint64_t lone(const Channel& channel, bool sends);
  [[nodiscard]] std::size_t rank() const { return records_.reader().rank(); }
  [[noreturn]] void refuse(const std::string& why) const;

  KeptRecords& records_;
  MessageTable table_;
  RankMessages messages_;
  CutCounts* counts_ = nullptr;         // in the first walk
  const CutCounts* counted_ = nullptr;  // in the second
  CutPlan plan_;
  std::map<std::uint32_t, Event> calls_;  // the last one by thread
  std::unordered_map<std::uint32_t, Open> open_;
  std::unordered_map<std::uint32_t, Early> early_;
  std::map<Sequence, std::uint64_t> joined_;
  std::map<std::pair<EpochPair, bool>, std::uint64_t> opened_;
  struct Times {
    std::multiset<double> sent_s;
    std::multiset<double> received_s;
  };
  std::unordered_map<const Channel*, Times> last_times_;
  std::unordered_map<const Channel*, std::uint64_t> lone_sends_;
  std::unordered_map<const Channel*, std::uint64_t> lone_receives_;
  std::vector<MessageEnd> ends_;
};

}  // namespace stretto::analysis
