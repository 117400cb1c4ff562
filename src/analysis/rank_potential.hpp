// SPDX-License-Identifier: BSD-3-Clause
// The overlap that the calls of a rank allow: per message, the computation that could hide it.
//
// The computation lies between the start of an operation and its wait. Where the trace has accesses to data,
// it also lies between data and calls. Needs memory for open operations, call sites and a bounded past.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/cost.hpp"
#include "analysis/data_work.hpp"
#include "analysis/event.hpp"
#include "analysis/per_number.hpp"
#include "analysis/places.hpp"
#include "analysis/sums.hpp"

namespace stretto::analysis {

struct PotentialOptions {
  bool watched = false;  ///< the trace has records about the data of messages
  bool by_data = false;  ///< the entries are variables in place of call sites
};

class RankPotential {
 public:
  /// The arguments must outlive this object.
  RankPotential(const replay::TraceReader& reader, const Cost& cost, const PotentialOptions& options,
                Potential& found);

  void take(std::uint32_t number, const Event& event);
  /// Counts the messages that arrived in the last calls, after the last record.
  void finish();

 private:
  struct Site {
    SiteSums* sums = nullptr;
    bool fetches = false;
  };
  /// The first load of what arrived in one call; messages may follow.
  struct FirstUse {
    WorkSums* site = nullptr;
    std::optional<double> after_s;  // computed time between the call and the load

    void take(double seconds);
  };
  /// Site, context, peer and tag: sends that differ in none are of the same data at different times.
  using SendKey = std::tuple<std::uint16_t, std::uint16_t, std::int32_t, std::int32_t>;
  /// A message of which data records may still follow.
  struct Touched {
    SiteSums* site = nullptr;
    double computed_s = 0;
    double cost_s = 0;
    double window_s = 0;
    std::vector<PartTouched> parts;
    std::vector<PartTouched> reordered;
    std::optional<double> first_s;
    std::shared_ptr<FirstUse> use;  // of a message that was received
    double since_s = 0;  // of a send, computed time at the one before to the same rank with its tag
  };
  using TouchedMessage = std::shared_ptr<Touched>;
  /// Messages by request. The oldest is left out where there are too many, because not all data has records.
  class Waiting {
   public:
    void add(std::uint32_t request, TouchedMessage message);
    [[nodiscard]] Touched* find(std::uint32_t request);
    void remove(std::uint32_t request);

   private:
    struct Entry {
      TouchedMessage message;
      std::uint64_t number = 0;
    };
    std::unordered_map<std::uint32_t, Entry> messages_;
    std::map<std::uint64_t, std::uint32_t> requests_;  // in the order of their first use
    std::uint64_t next_ = 0;
  };
  /// An operation in progress.
  struct OpenOperation {
    Site site;
    Side side = Side::send;    // a call site may start operations of both sides
    std::uint32_t thread = 0;  // that began it
    double computed_s = 0;
    double cost_s = 0;
    double begin_s = 0;
    std::uint64_t size_bytes = 0;
    WorkSums* sender = nullptr;  // of a nonblocking send, the sums of its call site
    TouchedMessage touched;
    std::uint64_t number = 0;
  };
  /// The messages that arrived in one call: their costs, and the computation that hides them all.
  struct Arrived {
    Event call;
    double cost_s = 0;
    double window_s = 0;
    std::uint64_t messages = 0;
    std::uint64_t size_bytes = 0;
    std::shared_ptr<FirstUse> use;
  };
  /// An operation that the last call completed; `weight` is its part of its request.
  struct Waited {
    SiteSums* site = nullptr;
    WorkSums* sender = nullptr;
    double weight = 1;

    void add(double blocked_s) const;
  };
  struct Thread {
    std::uint32_t number = 0;
    double computed_s = 0;
    std::optional<double> end_s;
    bool in_call = false;
    Event wait;                  // the last call
    std::vector<Waited> waited;  // what it completed
    Arrived arrived;
    ComputedTime past;
  };
  /// The one-sided operations of a window, by target.
  using Accesses = std::unordered_map<std::int32_t, std::vector<OpenOperation>>;

  void take_call(Thread& thread, const Event& event);
  void touch(Thread& thread, const Event& event);
  static std::vector<PartTouched> fresh(const std::vector<PartTouched>& parts, double since_s);
  static void count_data(const Thread& thread, const Touched& message, bool produces, std::int64_t parts);
  void complete(Thread& thread, const Event& event);
  void worked(const Event& event);
  void block(Thread& thread, const Event& event, Side side);
  void receive_half(Thread& thread, const Event& event);
  void send(Thread& thread, const Event& event, Touched* message);
  void start(Thread& thread, const Event& event, const CallTraits& call, bool receives, Side side);
  void synchronise(Thread& thread, const Event& event);
  static void end_wait(Thread& thread);
  static void wait_for(const Thread& thread, OpenOperation& one);
  void resize(OpenOperation& one, std::uint64_t size_bytes) const;
  void arrive(Thread& thread, const Event& call, std::uint64_t size_bytes, double cost_s, double window_s);
  void end_arrival(Thread& thread);
  WorkSums& leave(const Event& event, const std::string& call, double cost_s);
  TouchedMessage expect(std::uint32_t request, const Site& site, Side side, double computed_s, double cost_s,
                        double window_s);
  [[nodiscard]] static double window_s(const Thread& thread, const OpenOperation& one);
  double count(SiteSums& site, Side side, const Event& event) const;
  Site& site_of(const Event& event, const CallTraits& call, bool receives, Side side);
  [[nodiscard]] Place data_place(const Event& event) const;
  WorkSums& work_site(PerNumber<WorkSums*>& by_site, WorkSites& sites, std::uint16_t site,
                      const std::string& call);

  const replay::TraceReader& reader_;
  const Cost& cost_;
  PotentialOptions options_;
  Potential& found_;
  std::unordered_map<std::uint32_t, std::vector<OpenOperation>> open_;  // a request may cover two operations
  std::unordered_map<std::uint16_t, Accesses> accesses_;                // by window
  std::uint64_t next_ = 0;
  PerNumber<Thread, std::map<std::uint64_t, Thread>> threads_;
  Waiting produced_;
  Waiting consumed_;
  PerNumber<Site> sites_;
  PerNumber<WorkSums*> arrivals_;
  PerNumber<WorkSums*> sends_;
  std::map<SendKey, double> last_sends_;  // computed time
};

}  // namespace stretto::analysis
