// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/places.hpp"
#include "analysis/timed_ends.hpp"

namespace stretto::analysis {
namespace {

using record::Record;

constexpr std::size_t piece = 1024;
constexpr std::uint64_t never_ns = std::numeric_limits<std::uint64_t>::max();

using LaneKey = std::pair<std::uint32_t, std::uint32_t>;                   // rank and thread
using PartsKey = std::tuple<std::uint32_t, std::uint32_t, bool>;           // rank, request, whether it sends
using Parts = std::map<PartsKey, std::map<std::uint32_t, std::uint64_t>>;  // times by part

/// One end of a message as it is drawn.
struct DrawnEnd {
  LaneKey lane;
  std::uint64_t time_ns = 0;
  std::uint64_t size_bytes = 0;
  std::int32_t tag = 0;
  std::uint32_t request = 0;
};

/// Numbers of values, in the order of their first use.
template <typename Key>
class Numbers {
 public:
  /// The number, and whether it is new.
  std::pair<std::size_t, bool> operator[](const Key& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, numbers_.size());
    return {found->second, is_new};
  }

 private:
  std::map<Key, std::size_t> numbers_;
};

class Beginning {
 public:
  explicit Beginning(std::size_t max_calls) : max_calls_(max_calls) {}

  /// Reads the first calls of a rank, and the end of the first one that is left out.
  void read(const std::filesystem::path& file);
  [[nodiscard]] Timeline take();

 private:
  struct Pair {
    std::optional<DrawnEnd> sent;
    std::optional<DrawnEnd> received;
  };

  void take_call(const replay::TraceReader& reader, std::uint32_t thread, const Record& record);
  void take_end(const MessageEnd& end, LaneKey lane, std::uint64_t time_ns, std::int32_t tag);
  [[nodiscard]] std::vector<std::uint64_t> times_of(const DrawnEnd& end, bool sends) const;

  std::size_t max_calls_;
  Timeline found_;
  std::uint64_t cut_ns_ = never_ns;
  std::map<LaneKey, std::vector<Timeline::Span>> spans_;
  MessageTable table_;
  Numbers<std::pair<const Channel*, std::uint64_t>> numbers_;
  std::vector<Pair> pairs_;  // by these numbers
  Parts parts_;
  Numbers<std::pair<std::string, std::string>> calls_;
  Numbers<Place> places_;
};

void Beginning::read(const std::filesystem::path& file) {
  replay::TraceReader reader(file);
  const std::vector<CallTraits> traits = traits_of(reader.calls());
  TimedEnds ends(reader, traits, table_);
  std::size_t calls = 0;
  replay::TracePiece records;
  while (reader.next(records, piece)) {
    for (const Record& record : records.records) {
      const Event event(record, traits);
      if (event.traits->role == Role::data) {
        parts_[{reader.rank(), event.request, event.call == record::produced}][event.count] =
            record::begin_ns(record);
        continue;
      }
      if (event.traits->is_call()) {
        take_call(reader, records.thread, record);
        if (++calls > max_calls_) {
          cut_ns_ = std::min(cut_ns_, record::end_ns(record));
          return;
        }
      }
      ends.take(records.thread, record, event, [&](const MessageEnd& end, std::uint64_t time_ns) {
        take_end(end, {reader.rank(), records.thread}, time_ns, event.tag);
      });
    }
  }
}

void Beginning::take_call(const replay::TraceReader& reader, std::uint32_t thread, const Record& record) {
  const replay::TracedCall& call = reader.call(record::high_field(record.begin_and_call));
  const auto [number, is_new] = calls_[{call.name, call.kind}];
  if (is_new) found_.calls.push_back(call);
  const Place where = place_of(reader, record::high_field(record.duration_and_site));
  const auto [place, is_new_place] = places_[where];
  if (is_new_place) found_.places.push_back(where);
  spans_[{reader.rank(), thread}].push_back({record::begin_ns(record),
                                             record::end_ns(record) - record::begin_ns(record), number, place,
                                             record.peer, record::low_field(record.bytes_and_context)});
}

void Beginning::take_end(const MessageEnd& end, LaneKey lane, std::uint64_t time_ns, std::int32_t tag) {
  const auto [number, is_new] = numbers_[{end.channel, end.number}];
  if (is_new) pairs_.emplace_back();
  (end.sends ? pairs_[number].sent : pairs_[number].received) =
      DrawnEnd{lane, time_ns, end.size_bytes, tag, end.request};
}

Timeline Beginning::take() {
  std::map<LaneKey, std::size_t> lanes;
  for (auto& [key, spans] : spans_) {
    std::erase_if(spans, [&](const Timeline::Span& one) { return one.begin_ns > cut_ns_; });
    if (spans.empty()) continue;
    std::ranges::stable_sort(spans, {}, &Timeline::Span::begin_ns);
    lanes.emplace(key, found_.lanes.size());
    found_.lanes.push_back({key.first, key.second, std::move(spans)});
  }
  found_.whole = cut_ns_ == never_ns;
  if (!found_.lanes.empty()) found_.begin_ns = never_ns;
  for (const Timeline::Lane& lane : found_.lanes) {
    found_.begin_ns = std::min(found_.begin_ns, lane.spans.front().begin_ns);
    for (const Timeline::Span& one : lane.spans) {
      found_.end_ns = std::max(found_.end_ns, one.begin_ns + one.duration_ns);
    }
  }
  if (!found_.whole) found_.end_ns = cut_ns_;
  for (const Pair& pair : pairs_) {
    if (!pair.sent || !pair.received) continue;  // the other end is not shown
    const DrawnEnd& sent = *pair.sent;
    const DrawnEnd& received = *pair.received;
    const auto from = lanes.find(sent.lane);
    const auto to = lanes.find(received.lane);
    if (std::max(sent.time_ns, received.time_ns) > cut_ns_ || from == lanes.end() || to == lanes.end())
      continue;
    found_.messages.push_back({from->second, to->second, sent.time_ns, received.time_ns, sent.size_bytes,
                               sent.tag, times_of(sent, true), times_of(received, false)});
  }
  return std::move(found_);
}

/// Times in the order of the parts, without those that are 0. Blocking calls may have no request.
std::vector<std::uint64_t> Beginning::times_of(const DrawnEnd& end, bool sends) const {
  std::vector<std::uint64_t> times;
  const auto found = parts_.find({end.lane.first, end.request, sends});
  if (end.request == 0 || found == parts_.end()) return times;
  for (const auto& [part, time_ns] : found->second) {
    if (time_ns > 0) times.push_back(time_ns);
  }
  return times;
}

}  // namespace

Timeline timeline_of(const std::vector<std::filesystem::path>& files, std::size_t max_calls) {
  Beginning all(std::max<std::size_t>(max_calls / std::max<std::size_t>(files.size(), 1), 1));
  for (const std::filesystem::path& file : files) all.read(file);
  return all.take();
}

}  // namespace stretto::analysis
