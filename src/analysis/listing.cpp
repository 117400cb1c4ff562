// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/listing.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "analysis/places.hpp"
#include "analysis/timed_ends.hpp"

namespace stretto::analysis {
namespace {

using Json = nlohmann::json;

constexpr std::size_t records_at_once = std::size_t{1} << 14U;

class Listing {
 public:
  explicit Listing(const std::filesystem::path& trace)
      : reader_(trace), traits_(traits_of(reader_.calls())), ends_(reader_, traits_, table_) {}

  /// Makes the lines of the next records; false: there are no more.
  bool next() {
    lines_.clear();
    if (!reader_.next(records_, records_at_once)) return false;
    for (const record::Record& record : records_.records) take(record);
    line("records {}", records_.records.size());
    return true;
  }
  [[nodiscard]] const std::string& lines() const { return lines_; }

 private:
  template <typename... Values>
  void line(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(lines_), text, std::forward<Values>(values)...);
    lines_ += '\n';
  }

  void take(const record::Record& record) {
    const Event event(record, traits_);
    if (event.traits->role == Role::data) return;
    if (event.traits->is_call()) {
      const std::size_t place = place_number(place_of(reader_, event.site));
      line("call {} {} {} {} {} {} {}", records_.thread, event.call, record::begin_ns(record),
           record::end_ns(record), place, event.peer, event.size_bytes);
    }
    ends_.take(records_.thread, record, event, [this](const MessageEnd& end, std::uint64_t time_ns) {
      const Channel::Key& of = end.channel->key;
      Message& message = end.message();
      const double posted_s = end.sends || std::isnan(message.posted_s) ? 0 : message.posted_s;
      line("{} {} {} {} {} {} {} {} {} {}", end.sends ? "send" : "receive", records_.thread, of.source,
           of.target, of.communicator, of.tag, end.number, time_ns, end.size_bytes,
           std::llround(posted_s / ns));
      // The other end is in another file, unless the rank sends to itself.
      if (of.source != of.target) message.sender_done = message.receiver_done = true;
      end.done();
    });
  }

  /// A new place has a line of its own.
  std::size_t place_number(const Place& place) {
    const auto [found, is_new] = places_.try_emplace(place, places_.size());
    if (is_new) {
      // A path is any bytes, and JSON is UTF-8 in one line.
      const std::string module = Json(place.module).dump(-1, ' ', false, Json::error_handler_t::replace);
      line("place {} {}", place.address, module);
    }
    return found->second;
  }

  replay::TraceReader reader_;
  std::vector<CallTraits> traits_;
  MessageTable table_;
  TimedEnds ends_;
  replay::TracePiece records_;
  std::map<Place, std::size_t> places_;
  std::string lines_;
};

}  // namespace

void write_listing(const std::filesystem::path& trace, std::ostream& out) {
  out.exceptions(std::ios::badbit | std::ios::failbit);
  Listing listing(trace);
  while (listing.next()) out << listing.lines();
  out.flush();
}

}  // namespace stretto::analysis
